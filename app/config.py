"""Settings: every knob once, with the help text that `errdex config` and the documentation print."""

import errno
import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import URL, make_url

from app.network import hosts
from app.network.addresses import read_networks

# the folder that `app` lies in: the repository in a checkout
ROOT = Path(__file__).resolve().parent.parent
_SHIPPED = ROOT / "app" / "shipped"
# whether a wheel was installed, which has beside its code what Errdex reads
IS_INSTALLED = _SHIPPED.is_dir()
# What is only read: content/, templates/, static/, migrations/, and what entries are held against.
DATA = _SHIPPED if IS_INSTALLED else ROOT
# as a browser names a site: in lower case, without a path
_ORIGIN = re.compile(r"https?://[a-z0-9.\[\]:-]+", re.ASCII)
# as in `app.people.permissions`; a test compares them
ROLES = ("reader", "writer", "reviewer", "admin")


@cache
def state_folder() -> Path:
    """Return the folder that relative paths of settings start from, and so the database lies in.

    It is the repository in a checkout, else the platform's folder for data of a user's programs. It need not be there
    yet. Raises `FileNotFoundError` when who runs this has no home folder.
    """
    if not IS_INSTALLED:
        return ROOT
    from platformdirs import user_data_path

    found = user_data_path("errdex", appauthor=False)
    if not found.is_absolute():
        text = "there is no home folder to keep data in; set HOME, XDG_DATA_HOME, or absolute paths"
        raise FileNotFoundError(errno.ENOENT, text, str(found))
    return found


class Settings(BaseSettings):
    """All settings, read from `ERRDEX_*` environment variables.

    Raises `pydantic.ValidationError` when a value has the wrong form.
    """

    model_config = SettingsConfigDict(env_prefix="ERRDEX_", extra="ignore", frozen=True)

    database_url: str = Field(
        "sqlite:///var/errdex.db",
        description="Where the database is: sqlite:///PATH or postgresql+psycopg://… Relative paths, here and in other "
        "settings, start at the repository; where a wheel is installed, at the platform's data folder.",
    )
    base_url: str = Field(
        "",
        description="The address people use, for example http://errdex.lan:8000; empty: taken from each request.",
    )
    hosts: str = Field(
        "",
        description="Further names that the site goes by, comma separated: errdex.lan, *.corp.lan. Always taken: "
        "IP addresses, localhost, this machine's names, ERRDEX_HOST and that of ERRDEX_BASE_URL; others are 421.",
    )
    secret_key: SecretStr = Field(
        SecretStr(""),
        description="Sessions are known by it: another key signs everybody out. Empty: made once and kept.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 opens it to the network.")
    port: int = Field(8000, ge=1, le=65535, description="Port to listen on.")
    trusted_proxies: str = Field(
        "127.0.0.1,::1",
        description="Proxies, as addresses and networks with commas between, that are believed about their clients.",
    )
    workers: int = Field(1, ge=1, le=64, description="Number of server worker processes.")
    max_paste: int = Field(
        16 * 1024 * 1024,
        ge=1024,
        le=256 * 1024 * 1024,
        description="Largest request body that is read, in bytes.",
    )
    max_held: int = Field(
        64 * 1024 * 1024,
        ge=0,
        le=2**40,
        description="Bytes of large bodies that a worker holds at once; another one is 503. One alone always fits.",
    )
    content: Path = Field(
        Path("content"),
        description="Folder of bundles that is ingested, read only; the default is what Errdex ships with.",
    )
    mirror: str = Field(
        "",
        description="Folder of bundles that is read and written, a team's own git repository; empty: none.",
    )
    reading: Literal["open", "members"] = Field(
        "open",
        description="Who may read and ask: everybody who reaches the site (open), or people who sign in (members).",
    )
    submitting: Literal["anyone", "members"] = Field(
        "anyone",
        description="Who may propose entries: everybody (anyone), or people who sign in and may write (members).",
    )
    metrics_token: SecretStr = Field(
        SecretStr(""),
        description="Token that /metrics asks for (Authorization: Bearer). Empty: open, or admins' if reading is not.",
    )
    local_passwords: bool = Field(
        True,
        description="Let people sign in with a name and a password; false needs ERRDEX_OIDC_ISSUER. "
        "`errdex user link NAME` lets somebody in all the same.",
    )
    oidc_issuer: str = Field(
        "",
        description="Address of an OpenID provider to sign in with, as it names itself, for example "
        "https://login.corp.lan/realms/lab; empty: none.",
    )
    oidc_client_id: str = Field("", description="The name under which the provider knows Errdex.")
    oidc_client_secret: SecretStr = Field(SecretStr(""), description="Secret of Errdex at the provider; empty: none.")
    oidc_client_secret_file: str = Field("", description="File that holds that secret instead.")
    oidc_label: str = Field(
        "", max_length=60, description="What people know the provider as, for the button; empty: single sign-on."
    )
    oidc_scopes: str = Field("openid email profile", description="Scopes that are asked for; openid is one of them.")
    oidc_domains: str = Field(
        "",
        description="Domains of e-mail addresses that may sign on, with commas between: corp.lan. Empty: all that the "
        "provider lets in. The provider must have verified the address.",
    )
    oidc_groups_claim: str = Field(
        "groups", min_length=1, description="The claim that holds a person's groups; realm_access.roles is one inside."
    )
    oidc_roles: str = Field(
        "",
        description="Role of each group, with commas between: lab-admins=admin, lab=writer, *=reader. The highest one "
        "counts, at every sign-in; * is everybody, and without it others are refused. Empty: roles are given here.",
    )
    oidc_join_by_email: bool = Field(
        False,
        description="Let who signs on for the first time into the account here that has their verified e-mail address.",
    )
    session_days: int = Field(30, ge=1, le=365, description="Days after which a signed-in person signs in again.")
    audit_days: int = Field(365, ge=1, le=3650, description="Days for which it is kept who did what.")
    rate_submit: str = Field(
        "20/hour",
        description="Submissions with one token, else from one address, and as many checks before they are sent; "
        "loopback is not limited. Each worker allows its share, and one at least.",
    )
    rate_match: str = Field("300/minute", description="Questions, counted likewise; each text of a batch is one.")
    rate_feedback: str = Field("60/hour", description="Votes on entries, counted likewise.")
    rate_login: str = Field(
        "10/minute", description="Wrong sign-ins from one address, for all workers together; loopback is limited too."
    )
    cors_origins: str = Field(
        "",
        description="Sites whose scripts may call the API, as origins with commas between: https://ci.corp.lan; * is "
        "all. They never send cookies; a token does. Empty: none.",
    )
    wanted: bool = Field(
        True,
        description="Count errors that find no entry, masked; the text of one is kept once several people asked.",
    )
    remembered: int = Field(
        256,
        ge=0,
        le=100_000,
        description="Answers a worker keeps in memory, without the pastes, for who pastes the same again; 0: none.",
    )
    request_seconds: float = Field(
        20,
        gt=0,
        le=600,
        description="Seconds after which a question that is still worked on, or a write that waits, is given up (503).",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least severe log line that is written."
    )

    @field_validator("rate_submit", "rate_match", "rate_feedback", "rate_login")
    @classmethod
    def _is_a_rate(cls, value: str, info: ValidationInfo) -> str:
        # A command that sets no rate is spared the import.
        if value != cls.model_fields[str(info.field_name)].default:
            from limits import parse

            parse(value)
        return value

    @field_validator("cors_origins")
    @classmethod
    def _is_a_list_of_origins(cls, value: str) -> str:
        for part in _parts(value):
            if part != "*" and not _ORIGIN.fullmatch(part):
                raise ValueError(f"{part!r} is no origin such as https://ci.corp.lan or http://localhost:3000")
        return value

    @field_validator("port", mode="before")
    @classmethod
    def _is_no_link_to_a_service(cls, value: Any) -> Any:
        if isinstance(value, str) and "://" in value:
            raise ValueError(
                f"{value} is what Kubernetes sets for a service that is called errdex; set `enableServiceLinks: false` "
                "in the pod, or give the service another name"
            )
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        read_networks(value)
        return value

    @field_validator("base_url")
    @classmethod
    def _no_trailing_slash(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        if value and not urlsplit(value).hostname:
            raise ValueError("must name a host, for example http://errdex.lan:8000")
        return value.rstrip("/")

    @field_validator("hosts")
    @classmethod
    def _are_host_names(cls, value: str) -> str:
        hosts.listed(value)
        return value

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_issuer(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.fragment):
            raise ValueError("must be the address of a provider, for example https://login.corp.lan/realms/lab")
        return value

    @field_validator("oidc_scopes")
    @classmethod
    def _has_openid(cls, value: str) -> str:
        if "openid" not in value.split():
            raise ValueError("openid must be one of the scopes, as in: openid email profile")
        return value

    @field_validator("oidc_roles")
    @classmethod
    def _are_groups_with_roles(cls, value: str) -> str:
        read_group_roles(value)
        return value

    @model_validator(mode="after")
    def _sign_on_is_whole(self) -> Self:
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError("ERRDEX_OIDC_ISSUER needs ERRDEX_OIDC_CLIENT_ID, as Errdex is registered at the provider")
        if self.oidc_client_secret.get_secret_value() and self.oidc_client_secret_file:
            raise ValueError("set one of ERRDEX_OIDC_CLIENT_SECRET and ERRDEX_OIDC_CLIENT_SECRET_FILE, not both")
        if not self.local_passwords and not self.oidc_issuer:
            raise ValueError("ERRDEX_LOCAL_PASSWORDS=false needs ERRDEX_OIDC_ISSUER: nobody could sign in")
        self.oidc_secret  # noqa: B018 - told at the start, not at the first sign-in
        return self

    @model_validator(mode="after")
    def _mirror_is_another_folder(self) -> Self:
        if self.mirror_folder and self.mirror_folder.resolve() == self.content_folder.resolve():
            raise ValueError("ERRDEX_MIRROR must not be the folder of ERRDEX_CONTENT, which is only read")
        return self

    @model_validator(mode="after")
    def _closed_reading_has_closed_submitting(self) -> Self:
        if self.reading == "members" and self.submitting != "members":
            raise ValueError(
                "ERRDEX_READING=members needs ERRDEX_SUBMITTING=members: whoever proposes a change reads the entry"
            )
        return self

    @cached_property
    def url(self) -> URL:
        """The database address with a relative SQLite path resolved against `state_folder`."""
        url = make_url(self.database_url)
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            url = url.set(database=str(_resolved(str(url.database))))
        return url

    @cached_property
    def content_folder(self) -> Path:
        """The content folder: the shipped one, or that of the setting, resolved against `state_folder`."""
        return _resolved(str(self.content)) if "content" in self.model_fields_set else DATA / self.content

    @property
    def oidc_secret(self) -> str:
        """The secret of Errdex at the provider, from the setting or its file; empty when there is none.

        Raises `ValueError` when the file cannot be read.
        """
        if not self.oidc_client_secret_file:
            return self.oidc_client_secret.get_secret_value()
        path = _resolved(self.oidc_client_secret_file)
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"ERRDEX_OIDC_CLIENT_SECRET_FILE: {path} cannot be read as text") from error

    @property
    def oidc_domain_names(self) -> frozenset[str]:
        """The domains that may sign on, in lower case; empty for all."""
        return frozenset(part.lower().lstrip("@") for part in _parts(self.oidc_domains))

    @property
    def oidc_group_roles(self) -> dict[str, str]:
        """The role of each group of the provider; `*` is everybody. Empty when roles are given here."""
        return read_group_roles(self.oidc_roles)

    @property
    def mirror_folder(self) -> Path | None:
        """The folder that is mirrored, resolved against `state_folder`; None when there is none."""
        return _resolved(self.mirror) if self.mirror.strip() else None

    @cached_property
    def host_names(self) -> frozenset[str]:
        """The names that the site goes by according to the settings; `*.lan` stands for all that end in `.lan`."""
        told = (urlsplit(self.base_url).hostname or "", self.host)
        return hosts.listed(self.hosts) | hosts.found_in(told)

    @cached_property
    def proxies(self) -> tuple[str, ...]:
        """The trusted proxies as networks, those of IPv4 also as an IPv6 socket shows them."""
        return read_networks(self.trusted_proxies)

    @cached_property
    def origins(self) -> tuple[str, ...]:
        """The sites whose scripts may call the API, in the form in which browsers name them; `*` is all."""
        return tuple(dict.fromkeys(_parts(self.cors_origins)))

    @property
    def secure(self) -> bool:
        """Whether people reach the site over https, so that cookies may be `Secure`."""
        return self.base_url.startswith("https://")


def _parts(text: str) -> list[str]:
    """Return the parts of a setting that is a list with commas between."""
    return [part for one in text.split(",") if (part := one.strip())]


def _resolved(path: str) -> Path:
    """Return a path of a setting; one that is relative starts at `state_folder`."""
    found = Path(path).expanduser()
    return found if found.is_absolute() else state_folder() / found


def read_group_roles(text: str) -> dict[str, str]:
    """Return the role of each group of a list such as `lab-admins=admin, *=reader`.

    Raises `ValueError` with a sentence that names the part that is wrong.
    """
    found: dict[str, str] = {}
    for part in _parts(text):
        group, _, role = (piece.strip() for piece in part.rpartition("="))
        if not group or role not in ROLES:
            raise ValueError(f"{part!r} is not GROUP=ROLE with one of the roles {', '.join(ROLES)}")
        found[group] = role
    return found
