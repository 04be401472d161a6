"""More words on buttons, by what they do: languages that write from right to left, Hindi, and longer phrases."""

from __future__ import annotations

MORE: dict[str, str] = {
    "send": """
        upload, upload file, hochladen, televerser, subir archivo, carica file, uploaden, przeslij plik, загрузить файл
        завантажити файл, dosya yukle, 上传, 上傳, アップロード, 업로드, رفع ملف, העלה קובץ, फ़ाइल अपलोड करें
        allen antworten, repondre a tous, responder a todos, rispondi a tutti, allen beantwoorden, svar alle, svara alla
        odpowiedz wszystkim, ответить всем, відповісти всім, tumunu yanitla, 全部回复, 全員に返信, 모두에게 답장
        إرسال, ارسال, أرسل, نشر, انشر, شارك / שלח, שליחה, פרסם, פרסום, שתף / भेजें, भेजो, प्रकाशित करें, पोस्ट करें, सबमिट करें
        abonnenten informieren, mettre en ligne, diffuser, difundir, subir publicacion, inoltra, trasmetti, divulgar
        doorsturen, plaatsen, udostepnij, wyslac, отослать, разослать, опублікувати, послати, оприлюднити, ilet, paylas""",
    "buy": """
        rechnung begleichen, souscrire, abonar, contratar, abbonati, adquirir, wykup, оформить подписку, пополнить
        bagis yap, 会员, 充值, 申し込, 구독, ושלם, הירשם ושלם, सदस्यता लें
        finish payment, get it now, payment, send payment, transfer funds, wire transfer, kauf bestatigen, kauf abschliessen
        bestellung abschliessen, bestellung bestatigen, zahlung, geld senden, paiement, virement, pago, pagos, pagamento
        pagamenti, bonifico, transferir, transferencia, trasferisci, transfere, overboeken, bestelling bevestigen
        bevestig bestelling, przelej, przelew, platnosc, zaplata, подтвердить покупку, купить, перевести деньги, перевод
        денежный перевод, оплату, підтвердити оплату, переказати, переказ, odemeyi tamamla, odeme, havale, para gonder
        转账, 轉帳, 汇款, 匯款, 结算, 结账, 送金, 振込, 会計, 송금, 이체, 입금, الشراء, تحويل الأموال, تحويل, حوالة
        השלם הזמנה, העבר כסף, העברה, ऑर्डर दें, पैसे भेजें, ट्रांसफर करें
        شراء, اشتر, اشتري, ادفع, دفع, الدفع, اطلب, إتمام الطلب, تبرع, اشترك
        קנה, קנייה, רכישה, רכוש, לתשלום, תשלום, שלם, הזמן, תרום
        खरीदें, खरीदो, भुगतान करें, भुगतान, ऑर्डर करें, दान करें
        complete order, complete purchase, confirm order, confirm and pay, proceed to payment, add funds
        zur kasse, kauf abschliessen, bestellung aufgeben, passer la commande, passer commande, valider la commande
        finaliser, realizar pedido, tramitar pedido, finalizar compra, hacer pedido, procedi all'ordine, concludi
        finalizar pedido, fechar pedido, bestelling plaatsen, do kasy, zloz zamowienie, potwierdz zamowienie
        перейти к оплате, подтвердить заказ, до сплати, придбати, оплатити, оплата, ode, simdi ode, hemen al, siparis ver, sepeti onayla""",
    "delete": """
        account sluiten, temizle, verileri temizle, 清除
        limpar tudo, limpar dados, wyczysc, wyczysc wszystko, alles verwerfen, tout jeter, 抹掉, 销毁, 破棄, 비우기
        حذف, احذف, إزالة, أزل, مسح, امسح, سلة المهملات / מחק, מחיקה, מחיקת, הסר, הסרה, נקה, אשפה
        हटाएं, हटाएँ, हटाओ, मिटाएं, मिटाएँ, डिलीट करें
        empty trash, remove all, vider, vaciar, svuota, esvaziar, legen, oproznij, вычистить, очистить, очистити, bosalt""",
    "install": """
        download now, download file, get the app, setup starten, einrichten, herunterladen, lancer l'installation, installazione
        instalacion, instalacao, instalacja, установка, скачать, завантажити, indir, التثبيت, 下载, 下載, ダウンロード, 다운로드
        تثبيت, ثبت, تنصيب, تشغيل, تنزيل وتشغيل / התקן, התקנה, הפעל, הורד והתקן / इंस्टॉल करें, स्थापित करें, चलाएं
        download and run, download and open, run now, run file, run program, telecharger et installer, descargar y abrir
        scarica e installa, baixar e instalar, downloaden en uitvoeren, скачать и запустить, завантажити і запустити""",
    "permission": """
        схвалити, स्वीकृति दें
        let it control, give control, remote control, donner l'acces, dar acceso, dar acesso, dar permissao, dar permiso
        dai accesso, geef toegang, toegang geven, udziel dostepu, daj dostep, дать доступ, дать разрешение, надати доступ
        надати дозвіл, erisim ver, 授予, 赋予, 與權限, 权限, 權限, 액세스, 권한, منح, إذن, תן גישה, תן הרשאה, पहुँच दें, पहुंच दें
        سماح, السماح, اسمح, منح, موافق, أوافق, موافقة, قبول, تفويض / אפשר, הרשה, אשר, אישור, הסכם, קבל, הענק
        अनुमति दें, अनुमति, स्वीकार करें, सहमत, मंजूर करें""",
    "terminal": "الطرفية, سطر الأوامر, מסוף, שורת הפקודה, टर्मिनल",
}
"""By the kinds of `policy_words.WORDS_FOR`; commas, slashes and line ends part the entries."""
