@echo off
rem start run|test|bench ARGS: finds a Python that is new enough; it sets up what is missing and goes on.
rem 64 bits: there is no Qt for the other Python.
rem call: a python that is a batch file itself (as version managers have) would not come back without.
setlocal
set "PYTHON="
for %%P in ("py -3" "python" "python3") do if not defined PYTHON (
    call %%~P -I -S -c "import sys; sys.exit(sys.version_info < (3, 11) or sys.maxsize < 2**32)" >nul 2>nul && set "PYTHON=%%~P"
)
if not defined PYTHON (
    echo desktop-agent needs Python 3.11 or newer in 64 bits, and found none. Install it from python.org. 1>&2
    exit /b 1
)
%PYTHON% -I -S "%~dp0set_up.py" %*
exit /b %errorlevel%
