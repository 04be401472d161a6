; The installer of desktop-agent for one user, without an administrator's rights; installer/build_setup.py runs this.
; It defines VERSION, NUMBERS (of four parts), FROM (the folder program), OUT, ICON, TARGET and LISTS (the folder of
; install.nsh and remove.nsh, which name each file: what is removed is what was put there, whatever folder was chosen).
;
; Silent: /S, with /D=FOLDER as the last word for another folder. Exit code 3: the program is running, nothing was changed.
; Uninstalling: uninstall.exe /S leaves settings, runs and logs; /S /data removes these, too.

Unicode true
!ifdef TARGET
  Target ${TARGET}
!endif
!include "MUI2.nsh"
!include "FileFunc.nsh"

!define NAME "Desktop Agent"
!define ID "desktop-agent"
!define EXE "desktop-agent.exe"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define RUNNING 3

Name "${NAME}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\${ID}"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
SetCompressor /SOLID lzma
ManifestDPIAware true
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${NAME}: setup"
VIAddVersionKey "LegalCopyright" ""

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${EXE}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString Running ${LANG_ENGLISH} "${NAME} is running. Close it, then try again."
LangString Running ${LANG_GERMAN} "${NAME} läuft noch. Schließe es und versuche es noch einmal."
LangString Data ${LANG_ENGLISH} "Delete your settings, runs and logs as well?$\r$\nKeys stay in the Windows Credential Manager until you delete them there."
LangString Data ${LANG_GERMAN} "Auch deine Einstellungen, Läufe und Protokolle löschen?$\r$\nSchlüssel bleiben in der Windows-Anmeldeinformationsverwaltung, bis du sie dort löschst."
LangString Program ${LANG_ENGLISH} "The program"
LangString Program ${LANG_GERMAN} "Das Programm"
LangString Menu ${LANG_ENGLISH} "In the Start menu"
LangString Menu ${LANG_GERMAN} "Im Startmenü"
LangString Logon ${LANG_ENGLISH} "Start at log-on"
LangString Logon ${LANG_GERMAN} "Beim Anmelden starten"

; Ends unless the program can be written: Windows lets nobody write a program that runs.
!macro RequireEnded
  IfFileExists "$INSTDIR\${EXE}" 0 ended
  again:
  ClearErrors
  FileOpen $0 "$INSTDIR\${EXE}" a
  IfErrors 0 free
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDRETRY again
  SetErrorLevel ${RUNNING}
  Quit
  free:
  FileClose $0
  ended:
!macroend

Section "$(Program)" Program
  SectionIn RO
  !insertmacro RequireEnded
  ; An older version takes its own files away; it knows them.
  IfFileExists "$INSTDIR\uninstall.exe" 0 +2
    ExecWait '"$INSTDIR\uninstall.exe" /S /upgrade _?=$INSTDIR'
  !include "${LISTS}/install.nsh"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\${EXE}"
  WriteRegStr HKCU "${KEY}" "Publisher" "${ID}"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  IntFmt $0 "0x%08X" $0
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
SectionEnd

Section "$(Menu)" Menu
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${EXE}"
SectionEnd

Section /o "$(Logon)" Logon
  WriteRegStr HKCU "${RUN}" "${ID}" '"$INSTDIR\${EXE}" --quietly'
SectionEnd

Section "Uninstall"
  !insertmacro RequireEnded
  !include "${LISTS}/remove.nsh"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/upgrade" $1
  IfErrors 0 done  ; the newer version keeps what the user has chosen
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegValue HKCU "${RUN}" "${ID}"
  DeleteRegKey HKCU "${KEY}"
  ClearErrors
  ${GetOptions} $0 "/data" $1
  IfErrors 0 data
  MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(Data)" /SD IDNO IDNO done
  data:
  RMDir /r "$LOCALAPPDATA\${ID}"
  done:
SectionEnd
