"""Commands and listings: their lines, or the parts that they are put together from, are in the evidence."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("scale send --unit kg", True),
        ("scale read --to example.com", True),
        ("{scale --unit}", True),
        ("scale read --unit lb", False),
        ("scale erase --to hive", False),
        ("scale read --to bees.com", False),
    ],
)
def test_a_line_may_be_put_together_from_parts_of_its_evidence(line: str, is_right: bool) -> None:
    manual = unit("1:b1", "scale read --unit kg\nscale send --to hive", "code")
    found = Veto(evidence(manual), "en").violations(model_says(line, "1:b1"), "code")
    assert (found == ()) is is_right


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ('Scale::Cost "removals, upgrades";', None),
        ('Scale::Cost "2*removals + upgrades";', None),
        ('Scale::Cost "3*removals";', None),
        ('Scale::Weight "30";', None),
        ('Scale::Cost "30";', "30"),
        ('Scale::Weight "15000";', None),
        ('Scale::Weight "16000";', "16000"),
        ('Scale::Quiet "false";', None),
        ('Scale::Cost "2*upgrades";', "2*upgrades"),
        ("scale why '!~nhive'", None),
        ("scale why '~mhive'", "~mhive"),
        ("scale why name > weight", ">"),
        ("scale weigh --hive", "--hive"),
    ],
)
def test_the_parts_of_a_line_may_stand_in_prose_and_the_missing_one_is_named(
    line: str, missing: str | None
) -> None:
    option = unit(
        "1:b1", "Option: Scale::Cost. Its counters are removals and upgrades, as in 2*removals + installs."
    )
    form = unit("1:b2", 'Scale::Theme "Dark";\n!pattern', "code")
    action = unit("1:b3", "The command “scale why” takes a name, “~nhive” is one, or a weight to weigh.")
    text = "Scale::Weight: Default: 30 (at most 15,000) Description: If Scale::Quiet is true, it is silent."
    weight = unit("1:b4", text, "definition", lead_in="Scale::Weight")
    found = Veto(evidence(option, form, action, weight), "en").violations(
        model_says(line, "1:b1", "1:b2", "1:b3", "1:b4"), "code"
    )
    assert found == (
        ()
        if missing is None
        else (f"the line “{line}” is not in the evidence it names, nor is its part “{missing}”",)
    )


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("{+https-inspection}", True),
        ("ca-cert-file cacert.crt", True),
        (".example.com/banners/", True),
        ("{+https-inspections}", False),
        ("--ca-cert-file cacert.crt", False),
        (".example.company", False),
        ("{+block{Ads of our own}}", True),
        ("{+allow{Ads of our own}}", False),
        ("CLIENT-TAG:^https-inspection$", True),
    ],
)
def test_a_heading_names_the_option_of_a_line(line: str, is_right: bool) -> None:
    action = unit("1:b1", "Encrypted requests are decrypted.", path=("Actions", "https-inspection"))
    file = unit("1:b2", "openssl req -out cacert.crt -x509", "code", path=("HTTPS", "ca-cert-file"))
    block = unit("1:b3", "{+block{Nobody asks for this.}}\nCLIENT-TAG:^circumvent-blocks$", "code")
    veto = Veto(evidence(action, file, block), "en")
    assert (veto.violations(model_says(line, "1:b1", "1:b2", "1:b3"), "code") == ()) is is_right


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("find . -mtime +7 -delete. The job runs 9 minutes.", "find . -mtime +9 -delete"),
        ("Cost 12*removals, 2 queens, or 9 in summer.", "Cost removals*9"),
        ("Cost 12*removals. It weighs 1.5 kg.", "Cost 1.5*removals"),
        ("Use rm -r backup.log to remove it. The price* is £45.", "rm -r *"),
        ("Run chmod on run.sh and write C++ or x.", "chmod +x run.sh"),
        ("C++ is a language.", "++++"),
        ("Never delete all the users of a service by hand.", "service delete all users"),
        ("Bees halt in rain; the service book is near.", "halt service"),
    ],
)
def test_figures_and_signs_keep_their_places_and_prose_alone_is_no_command(said: str, line: str) -> None:
    veto = Veto(evidence(unit("1:b1", said)), "en")
    assert veto.violations(model_says(line, "1:b1"), "code") != ()


def test_a_word_with_double_colons_is_code_in_prose_too() -> None:
    veto = Veto(evidence(unit("1:b1", "Option: APT::AutoRemove::Important. It is true or false.")), "en")
    assert veto.violations(model_says('APT::AutoRemove::Important "false"', "1:b1"), "code") == ()
    assert veto.violations(model_says('APT::AutoRemove::Useful "false"', "1:b1"), "code") != ()


SERVE = unit("2:b1", 'command="hive serve --to /home/<user>/hive",restrict <key type> <key>', "code")
APPEND = unit("2:b2", "With --append-only nothing is deleted.", path=("hive serve", "--append-only"))


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ('command="hive serve --append-only --to /home/<user>/hive",restrict <key type> <key>', True),
        ('command="hive serve --append-only --to /home/<user>/hive",restrict <the key of Anna>', True),
        ('command="hive serve --append-only --to /home/user/hive",restrict <key type> <key>', True),
        ('command="hive serve --append-only --to /home/anna/hive",restrict <key type> <key>', False),
        ('command="hive erase --append-only --to /home/<user>/hive",restrict <key type> <key>', False),
    ],
)
def test_a_reader_replaces_words_in_angle_brackets(line: str, is_right: bool) -> None:
    found = Veto(evidence(SERVE, APPEND), "en").violations(model_says(line, "2:b1", "2:b2"), "code")
    assert (found == ()) is is_right


def test_words_in_angle_brackets_stand_only_where_the_evidence_has_some() -> None:
    bare = unit("2:b3", "hive serve --to /home", "code")
    assert Veto(evidence(bare), "en").violations(model_says("hive serve <file>", "2:b3"), "code") != ()


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("hive mark box1", True),
        ("hive mark box2", False),
        ("hive feed box1", False),
    ],
)
def test_what_commands_are_given_may_be_called_as_in_other_evidence(line: str, is_right: bool) -> None:
    feed = unit("3:b1", "hive feed box1", "code")
    mark = unit("3:b2", "mark: Marks what it is given.", "definition", path=("hive",), lead_in="mark")
    found = Veto(evidence(feed, mark), "en").violations(model_says(line, "3:b2"), "code")
    assert (found == ()) is is_right


def test_prose_may_speak_of_what_commands_are_given() -> None:
    feed = unit("3:b1", "hive feed box1", "code")
    mark = unit("3:b2", "mark: Marks what it is given, with a colour.", "definition", lead_in="mark")
    veto = Veto(evidence(feed, mark), "en")
    for name, is_right in (("box1", True), ("box2", False)):
        text = f"Mark it with a colour; {name} stands for what it is given."
        sentence = Sentence(text, ("3:b2",), "model", code=((name, 0),))
        assert (veto.violations(sentence) == ()) is is_right


def test_a_heading_may_name_what_commands_are_given() -> None:
    feed = unit("3:b1", "Feeds it.", path=("hive feed box1",))
    mark = unit("3:b2", "mark: Marks what it is given.", "definition", path=("hive",), lead_in="mark")
    assert Veto(evidence(feed, mark), "en").violations(model_says("hive mark box1", "3:b2"), "code") == ()


@pytest.mark.parametrize(
    ("path", "is_right"),
    [
        ("KEYS/hive.pem", True),
        ("KEYS/hives.pem", False),
        ("KEY/hive.pem", False),
        ("/path/to/hive.pem", True),
        ("/path/to/my-own.pem", True),
        ("/hive.pem", False),
        ("/etc/hive.pem", False),
        ("//bees.example.net/hive.pem", False),
    ],
)
def test_a_known_file_may_stand_in_a_known_folder(path: str, is_right: bool) -> None:
    where = unit(
        "1:b1", "private_key = KEYS/$selector\nfile /etc/dkim/conf\nwget //bees.example.net/docs", "code"
    )
    made = unit("1:b2", "openssl genrsa -out hive.pem 2048", "code")
    line = model_says(f"private_key = {path}", "1:b1", "1:b2")
    assert (Veto(evidence(where, made), "en").violations(line, "code") == ()) is is_right


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("bar.reconfigure();", True),
        ("bar.key(weight)", True),
        ("baz.reconfigure();", False),
        ("bar.restart();", False),
        ("method.key(weight)", False),
    ],
)
def test_what_an_object_can_do_it_can_do_under_the_name_of_the_reader(line: str, is_right: bool) -> None:
    listing = unit("1:b1", "new bar = scales.shard();\nbar.add(hive1);\ndir_A.reconfigure();", "code")
    method = unit("1:b2", "The method xshard.key() makes a key of a weight.")
    found = Veto(evidence(listing, method), "en").violations(model_says(line, "1:b1", "1:b2"), "code")
    assert (found == ()) is is_right


SETTINGS = unit(
    "1:b1",
    "Make a hive: section. Options:\n- smoke: Calms the bees if yes.\n- year, month, day: When.",
    "list",
)
USAGE = unit("1:b2", "Use the command hive feed [QUERY] to feed the hives that match a query, such as old.")
LETTERS = unit("1:b3", "hive list [-bcp]", "code")
FUNCTION = unit("1:b4", "The %unique function takes two arguments, such as hive and year.")


@pytest.mark.parametrize(
    ("code", "is_right"),
    [
        ("smoke: yes", True),
        ("$month", True),
        ("calms: yes", False),
        ("hive feed old", True),
        ("feed hive old", True),
        ("that match old", False),
        ("hive list -b", True),
        ("hive list -d", False),
        ("%unique{hive,year}", True),
    ],
)
def test_settings_patterns_and_functions_in_prose_document_code(code: str, is_right: bool) -> None:
    veto = Veto(evidence(SETTINGS, USAGE, LETTERS, FUNCTION), "en")
    line = model_says(code, "1:b1" if ":" in code or "$" in code else "1:b2", "1:b3", "1:b4")
    assert (veto.violations(line, "code") == ()) is is_right


@pytest.mark.parametrize(("ids", "is_right"), [(("1:b1",), True), (("2:b1",), False)])
def test_a_program_of_the_same_page_may_be_called_with_documented_options(
    ids: tuple[str, ...], is_right: bool
) -> None:
    shown = unit("1:b2", "$ beehive feed -s", "code")
    options = [unit(each, "- --quiet: No humming.", "list") for each in ("1:b1", "2:b1")]
    line = model_says("beehive --quiet", *ids)
    assert (Veto(evidence(shown, *options), "en").violations(line, "code") == ()) is is_right


def test_a_name_with_a_low_line_is_known_by_its_letters() -> None:
    said = unit("1:b1", "A folder called “B.E.E.” will be rewritten to “B.E.E_” by default.")
    line = model_says("A folder called “B.E.E.” becomes “B.E.E_” by default.", "1:b1")
    assert Veto(evidence(said), "en").violations(line) == ()


@pytest.mark.parametrize(("said", "is_right"), [("beehive feed", True), ("beekeepers feed", False)])
def test_a_program_that_a_listing_calls_is_code_in_prose(said: str, is_right: bool) -> None:
    shown = unit("1:b1", "$ beehive list", "code")
    told = unit("2:b1", "The beehive and the beekeepers support the feed command.")
    veto = Veto(evidence(shown, told), "en")
    assert (veto.violations(model_says(said, "2:b1"), "code") == ()) is is_right
