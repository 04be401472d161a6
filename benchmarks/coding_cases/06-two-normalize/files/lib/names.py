"""People's names."""
import unicodedata


def normalize(text):
    """One form for a name: no accents, lower case, single spaces; "Last, First" is turned round."""
    last, first = text.split(",")
    text = first + " " + last
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(plain.lower().split())


def initials(text):
    return "".join(word[0] for word in normalize(text).split()).upper()
