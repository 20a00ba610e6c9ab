"""Who may enter the Sappho stand-in: passwords, codes, tokens that end, and API keys."""
import datetime
import re
import secrets

from sappho_books import DAY, Refused

CODE = "123456"
ANNA, BERT = ("anna", "Sesame-Street-7"), ("bert", "Under-The-Bridge-8")
# Asked for a code, and made to choose another password.
CARL, DORA = ("carl", "Two-Factors-9"), ("dora", "First-Password-1")
ADMIN = ("admin", "Keeper-Of-All-2")
WEAK = "Password must have 8 characters, with upper and lower case, a digit and a special character"
TOO_MANY, LOCKED_FOR, FAILURES = 429, 900, 5
MFA_FOR, TOKEN_FOR, KEY_FOR = 300, 7 * DAY, 90


def is_strong(password):
    return len(password) >= 8 and all(re.search(kind, password) for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^a-zA-Z0-9]"))


class Users:
    def __init__(self, now):
        self.now, self.code = now, CODE
        self.has_refresh = False
        self.rows, self.tokens, self.keys, self.asked, self.failures, self.families = {}, {}, {}, {}, {}, {}
        for number, (name, password) in enumerate((ANNA, BERT, CARL, DORA, ADMIN), 1):
            self.rows[name] = {
                "id": number, "username": name, "password": password, "is_admin": int(name == "admin"), "has_code": name == "carl",
                "must_change": name == "dora", "display_name": name.title(), "email": f"{name}@example.org", "is_disabled": False}

    # ---- Entering

    def log_in(self, name, password):
        """A token; or, with a second factor, what a code is sent with."""
        failed = [at for at in self.failures.get(name, []) if at > self.now() - LOCKED_FOR]
        if len(failed) >= FAILURES:
            raise Refused(TOO_MANY, "Too many failed attempts. Try again later.")
        user = self.rows.get(name)
        if not user or user["password"] != password:
            self.failures[name] = [*failed, self.now()]
            raise Refused(401, "Invalid credentials")
        if user["has_code"]:
            token = secrets.token_hex(16)
            self.asked[token] = (user, self.now() + MFA_FOR)
            return {"mfa_required": True, "mfa_token": token, "message": "Enter the code of your authenticator"}
        return self.entered(user)

    def verify(self, token, code):
        user, until = self.asked.get(token, (None, 0))
        if not user or until < self.now():
            raise Refused(401, "MFA token expired")
        if code != self.code:
            raise Refused(401, "Invalid verification code")
        del self.asked[token]
        return self.entered(user)

    def entered(self, user, family=None):
        token = secrets.token_hex(24)
        self.tokens[token] = (user, self.now() + TOKEN_FOR)
        shown = {name: user[name] for name in ("id", "username", "is_admin")}
        answer = {"token": token, "user": shown, "must_change_password": user["must_change"]}
        if self.has_refresh:
            family = family or secrets.token_hex(4)
            refresh = f"{family}.{secrets.token_hex(16)}"
            self.families[family] = (user, refresh, token)
            answer["refreshToken"] = refresh
        return answer

    def refresh(self, token):
        """Both tokens change; one that is used twice ends its whole family."""
        family = str(token).split(".", maxsplit=1)[0]
        user, current, access = self.families.pop(family, (None, None, None))
        if not user:
            raise Refused(401, "Invalid refresh token")
        self.tokens.pop(access, None)
        if token != current:
            raise Refused(401, "Refresh token was used before")
        fresh = self.entered(user, family)
        return {name: fresh[name] for name in ("token", "refreshToken")}

    def leave(self, token):
        self.tokens.pop(token, None)

    def leave_all(self, user):
        self.tokens = {token: row for token, row in self.tokens.items() if row[0] is not user}
        self.families = {name: row for name, row in self.families.items() if row[0] is not user}

    def change_password(self, user, old, new):
        if user["password"] != old:
            raise Refused(400, "Current password is incorrect")
        if not is_strong(new or ""):
            raise Refused(400, WEAK)
        user.update(password=new, must_change=False)
        self.leave_all(user)
        return {"message": "Password changed"}

    # ---- Tokens and keys

    def of(self, token):
        """The user of a token or a key; a refusal says why there is none."""
        if not token:
            raise Refused(401, "Access token required")
        user, until = self.tokens.get(token, (None, None))
        if token.startswith("sapho_"):
            row = next((row for row in self.keys.values() if row["key"] == token and row["is_active"]), None)
            user, until = (row["user"], row["until"]) if row else (None, None)
        if not user or (until is not None and until < self.now()):
            raise Refused(401, "Invalid or expired token")
        if user["is_disabled"]:
            raise Refused(401, "Account is disabled")
        return user

    def new_key(self, user, body):
        days = body.get("expires_in_days", KEY_FOR)
        number = len(self.keys) + 1
        until = self.now() + days * DAY if days else None
        self.keys[number] = {
            "id": number, "user": user, "name": body.get("name"), "key": "sapho_" + secrets.token_hex(32), "until": until,
            "permissions": body.get("permissions", "read"), "is_active": 1}
        return {**self.shown_key(self.keys[number]), "key": self.keys[number]["key"]}

    def shown_key(self, row):
        until = row["until"] and datetime.datetime.fromtimestamp(row["until"], datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        return {**{name: row[name] for name in ("id", "name", "permissions", "is_active")}, "key_prefix": row["key"][:12], "expires_at": until}

    def own_key(self, user, number):
        row = self.keys.get(number)
        if not row or row["user"] is not user:
            raise Refused(404, "API key not found")
        return row
