"""More words on buttons, by what they do: languages that write from right to left, Hindi, and longer phrases."""

from __future__ import annotations

MORE: dict[str, str] = {
    "send": """
        إرسال, ارسال, أرسل, نشر, انشر, شارك / שלח, שליחה, פרסם, פרסום, שתף / भेजें, भेजो, प्रकाशित करें, पोस्ट करें, सबमिट करें
        abonnenten informieren, mettre en ligne, diffuser, difundir, subir publicacion, inoltra, trasmetti, divulgar
        doorsturen, plaatsen, udostepnij, wyslac, отослать, разослать, опублікувати, послати, оприлюднити, ilet, paylas""",
    "buy": """
        شراء, اشتر, اشتري, ادفع, دفع, الدفع, اطلب, إتمام الطلب, تبرع, اشترك
        קנה, קנייה, רכישה, רכוש, לתשלום, תשלום, שלם, הזמן, תרום
        खरीदें, खरीदो, भुगतान करें, भुगतान, ऑर्डर करें, दान करें
        complete order, complete purchase, confirm order, confirm and pay, proceed to payment, add funds
        zur kasse, kauf abschliessen, bestellung aufgeben, passer la commande, passer commande, valider la commande
        finaliser, realizar pedido, tramitar pedido, finalizar compra, hacer pedido, procedi all'ordine, concludi
        finalizar pedido, fechar pedido, bestelling plaatsen, do kasy, zloz zamowienie, potwierdz zamowienie
        перейти к оплате, подтвердить заказ, до сплати, придбати, оплатити, оплата, ode, simdi ode, hemen al, siparis ver, sepeti onayla""",
    "delete": """
        حذف, احذف, إزالة, أزل, مسح, امسح, سلة المهملات / מחק, מחיקה, מחיקת, הסר, הסרה, נקה, אשפה
        हटाएं, हटाएँ, हटाओ, मिटाएं, मिटाएँ, डिलीट करें
        empty trash, remove all, vider, vaciar, svuota, esvaziar, legen, oproznij, вычистить, очистить, очистити, bosalt""",
    "install": """
        تثبيت, ثبت, تنصيب, تشغيل, تنزيل وتشغيل / התקן, התקנה, הפעל, הורד והתקן / इंस्टॉल करें, स्थापित करें, चलाएं
        download and run, download and open, run now, run file, run program, telecharger et installer, descargar y abrir
        scarica e installa, baixar e instalar, downloaden en uitvoeren, скачать и запустить, завантажити і запустити""",
    "permission": """
        سماح, السماح, اسمح, منح, موافق, أوافق, موافقة, قبول, تفويض / אפשר, הרשה, אשר, אישור, הסכם, קבל, הענק
        अनुमति दें, अनुमति, स्वीकार करें, सहमत, मंजूर करें""",
    "terminal": "الطرفية, سطر الأوامر, מסוף, שורת הפקודה, टर्मिनल",
}
"""By the kinds of `policy_words.WORDS_FOR`; commas, slashes and line ends part the entries."""
