"""Which buttons are more than a click: the words on them, in the languages people meet, by what they do."""

from __future__ import annotations

import re
from functools import cache

from desktop_agent.agent.policy.confusables import fold, skeleton
from desktop_agent.agent.policy.more_button_words import MORE

# Words that say it wherever they stand in a short name. One row a language (en de fr es it pt nl pl ru
# uk tr sv da cs, then zh ja ko); a phrase is matched as a phrase.
_ANYWHERE: dict[str, str] = {
    "send": """
        send, submit, publish, tweet, transmit, mail it, post it, post now, post comment, reply all
        senden, absenden, abschicken, verschicken, schicken, ubermitteln, einreichen, veroffentlichen
        envoyer, soumettre, publier, transmettre / enviar, publicar, remitir / invia, inviare, spedisci, pubblica
        enviar, submeter / verzenden, versturen, verstuur, verzend, indienen, publiceren
        wyslij, przeslij, opublikuj / отправить, отправка, опубликовать, послать / надіслати, відправити
        gonder, yayinla / skicka, publicera / send inn, indsend / odeslat, poslat, publikovat
        发送, 提交, 发布, 發送, 傳送, 送信, 投稿, 送る, 提出, 보내기, 전송, 제출, 게시""",
    "buy": """
        buy, pay, purchase, checkout, check out, donate, subscribe, place order, order now, place bid, rent now
        book now, transfer money, send money, confirm payment, top up, upgrade now
        kaufen, bezahlen, zahlen, zahlung, bestellen, zahlungspflichtig, kostenpflichtig, spenden, abonnieren
        uberweisen, buchen / acheter, payer, commander, achat, paiement, regler, s'abonner, reserver, virement
        comprar, pagar, compra, pago, donar, suscribirse / acquista, acquistare, compra, paga, pagare, ordina
        comprar, pagar, encomendar, assinar / kopen, koop, betalen, betaal, afrekenen, bestel, doneren
        kup, kupuje, zaplac, zamow, oplac, zamawiam / купить, оплатить, заказать, заплатить, оформить заказ
        купити, сплатити, замовити / satin al, odeme yap / kop nu, betala, bestall / kob, betal / koupit, zaplatit
        购买, 支付, 付款, 下单, 购入, 訂購, 購買, 結帳, 購入, 支払, 注文, 決済, 買う, 구매, 결제, 주문, 구입""",
    "delete": """
        delete, remove, erase, wipe, trash, uninstall, destroy, purge, unlink, empty bin, clear all, clear data
        factory reset, move to bin, shred, drop table, format disk, overwrite, replace file, deactivate account
        close account
        loschen, entfernen, papierkorb, vernichten, deinstallieren, uberschreiben
        supprimer, effacer, corbeille, enlever, retirer, desinstaller, ecraser
        eliminar, borrar, quitar, suprimir, papelera, desinstalar / elimina, eliminare, cancella, rimuovi, cestino
        disinstalla / excluir, apagar, remover, lixeira, lixo / verwijderen, verwijder, wissen, prullenbak
        usun, skasuj, kosz, odinstaluj / удалить, удаление, стереть, корзина, корзину, уничтожить
        видалити, стерти / sil, kaldir / ta bort, radera, papperskorg / slet, fjern / smazat, odstranit
        删除, 移除, 清空, 卸载, 刪除, 移至, 削除, 消去, ゴミ箱, アンインストール, 삭제, 제거, 휴지통, 지우기""",
    "install": """
        install, installer, run anyway, keep anyway, execute, enable macros, enable content, enable editing
        add extension, add to chrome, update now, open anyway, load unpacked, sideload
        installieren, ausfuhren, installation, trotzdem / installer, executer / instalar, ejecutar / installa, esegui
        instalar, executar / installeren, uitvoeren / zainstaluj, uruchom / установить, запустить, выполнить
        встановити / kur, yukle, calistir / installera, kor / installere / nainstalovat, spustit
        安装, 安裝, 运行, 執行, インストール, 実行, 설치, 실행""",
    "permission": """
        allow, grant, authorize, authorise, permit, agree, accept, approve, trust, give access, share screen
        sign and, i consent, consent, unlock, make owner, make admin, proceed anyway, disable protection
        erlauben, zulassen, genehmigen, zustimmen, akzeptieren, gewahren, einwilligen, autorisieren, freigeben
        autoriser, accepter, permettre, consentir, approuver, accorder
        permitir, autorizar, aceptar, conceder, aprobar / consenti, autorizza, accetta, approva, concedi, permetti
        aceitar, concordo, aprovar / toestaan, toelaten, accepteren, akkoord, goedkeuren, machtigen
        zezwol, zgadzam, zgoda, akceptuj, zatwierdz, autoryzuj
        разрешить, принять, согласен, согласиться, одобрить, предоставить, авторизовать, доверять
        дозволити, прийняти / izin ver, kabul et, onayla / tillat, godkann, acceptera / tillad, godkend
        povolit, souhlasim, prijmout / 允许, 同意, 授权, 接受, 批准, 允許, 授權, 許可, 承認, 허용, 동의, 승인, 수락""",
    "session": """
        log out, logout, sign out, log off, shut down, shutdown, restart, reboot, power off, hibernate, suspend
        lock screen, switch user, abmelden, herunterfahren, neu starten, neustart, ausschalten, bildschirm sperren
        se deconnecter, eteindre, redemarrer, verrouiller / cerrar sesion, apagar el, reiniciar, suspender
        esci dalla sessione, spegni, riavvia / sair da sessao, encerrar sessao, desligar / afmelden, afsluiten
        wyloguj, zamknij system / выйти из системы, выключить, перезагрузить, завершение работы
        注销, 关机, 重启, 登出, ログアウト, シャットダウン, 再起動, 로그아웃, 시스템 종료, 다시 시작""",
    "terminal": """
        terminal, xterm, uxterm, konsole, command line, command prompt, powershell, eingabeaufforderung
        kommandozeile, terminal emulator, invite de commandes, linea de comandos, терминал, 终端, 終端機, 端末, 터미널
        ターミナル""",
}
# Words that say it only at the beginning ("Order by name" is no order; "Post" is one).
_LEADING: dict[str, str] = {
    "send": "post, share, reply, forward, teilen, partager, compartir, condividi, delen, поделиться",
    "buy": "order, transfer, book, bid, reserve, upgrade, rent, renew",
    "delete": "discard, drop, reset, revoke, verwerfen, zurucksetzen",
    "install": "run, launch, update, upgrade, keep",
    "permission": "confirm, sign, verify, enable, bestatigen, freigeben, confirmer, confirmar, conferma, bevestigen",
    "session": "lock, sleep, restart",
    "terminal": "console",
}
_NOT_AFTER = frozenset(("by", "nach", "par", "por", "per", "op", "history", "verlauf"))

_YES = """yes, ok, okay, continue, proceed, confirm, sure, go, apply, next, do it, fine, got it, ja, weiter, fortfahren
    bestatigen, oui, d'accord, continuer, confirmer, si, aceptar, continuar, sim, confermo, continua, doorgaan
    tak, dalej, kontynuuj, да, ок, продолжить, так, evet, tamam, fortsatt, ano, 是, 确定, 好, 确认, 继续, はい, 続行
    예, 네, 확인, 계속"""

WORDS_FOR: dict[str, str] = {
    "send": "may send or submit something",
    "buy": "may spend money",
    "delete": "may delete something",
    "install": "may install or run something",
    "permission": "may give a permission",
    "session": "may end or lock your session",
    "terminal": "may open a terminal",
}
MAX_WORDS = 40
"""A longer name is a sentence about something, not a button."""


def kind_of(name: str, most: int = MAX_WORDS) -> str:
    """What pressing something of this name does: a key of `WORDS_FOR`, "" when nothing special.

    A name of more than `most` words is taken for a text.
    """
    words = _words(name)
    if not words or len(words) > most:
        return ""
    squeezed = "".join(words)
    for kind, (phrases, leading, joined) in _table().items():
        spaced = f" {' '.join(words)} "
        if any(f" {phrase} " in spaced for phrase in phrases) or any(part in squeezed for part in joined):
            return kind
        begins = words[0] in leading and not (len(words) > 1 and words[1] in _NOT_AFTER)
        # "D e l e t e": letters with blanks between
        if begins or (len(words) > 1 and max(map(len, words)) == 1 and _spelled(squeezed, phrases | leading)):
            return kind
    return ""


def _spelled(letters: str, phrases: frozenset[str]) -> bool:
    """Do the letters say one of the phrases, or have a longer one in them?"""
    said = skeleton(letters)
    tight = [phrase.replace(" ", "") for phrase in phrases]
    return any(phrase == said or (len(phrase) > 2 and phrase in said) for phrase in tight)


def says_yes(name: str) -> bool:
    """Is it a button that agrees to whatever its dialog says?"""
    return " ".join(_words(name)) in _agreeing()


def mentions(texts: tuple[str, ...]) -> str:
    """What the words of a dialog are about: a kind as of `kind_of`, looked for in sentences too."""
    for text in texts:
        words = _words(text)[:200]
        spaced, squeezed = f" {' '.join(words)} ", "".join(words)
        for kind, (phrases, leading, joined) in _table().items():
            said = any(f" {phrase} " in spaced for phrase in (*phrases, *leading))
            if said or any(part in squeezed for part in joined):
                return kind
    return ""


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", skeleton(name[:2_000]))


Table = dict[str, tuple[frozenset[str], frozenset[str], frozenset[str]]]


@cache
def _table() -> Table:
    """Per kind: phrases, leading words, and what is looked for without word limits (scripts without blanks)."""
    table: Table = {}
    for kind, text in _ANYWHERE.items():
        entries = _split(f"{text},{MORE.get(kind, '')}")
        joined = frozenset(entry for entry in entries if _unspaced(entry))
        table[kind] = (entries - joined, _split(_LEADING.get(kind, "")), joined)
    return table


@cache
def _agreeing() -> frozenset[str]:
    return _split(_YES)


def _split(text: str) -> frozenset[str]:
    return frozenset(" ".join(_words(each)) for each in re.split(r"[,/\n]", text) if each.strip())


def _unspaced(word: str) -> bool:
    """Is it of a script that writes words without blanks, or with endings joined on?"""
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in fold(word))
