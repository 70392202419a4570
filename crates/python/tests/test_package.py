"""Records, bots, hints, pictures, the command, pickling, types and the code of the documentation."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pentarchy
import pytest

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"


def play(game: str, seed: int, level: str = "random") -> pentarchy.Match:
    """Plays a match between bots."""
    playing = pentarchy.new_match(game, seed=seed, record=True)
    bots = [pentarchy.Bot(game, level, seed + seat) for seat in range(playing.setup.seats)]
    while not playing.over:
        playing.step(bots[playing.seat](playing))
    return playing


@pytest.mark.parametrize("game", ["kuhn", "liars-dice", "ozymandias"])
def test_records_are_written_checked_and_replayed(game: str) -> None:
    playing = play(game, 4)
    text = playing.record()
    verified = pentarchy.verify(text)
    assert verified.game == game and len(verified.ranks) == playing.setup.seats
    replayed = pentarchy.replay(text)
    assert len(replayed) == verified.events + 1
    assert replayed[0].event is None and replayed[-1].digest == playing.digest()
    lines = text.splitlines()
    with pytest.raises(pentarchy.GameError, match="breaks off"):
        pentarchy.verify("\n".join(lines[:-1]) + "\n")
    forged = text.replace(playing.digest(), "0" * 64)
    with pytest.raises(pentarchy.GameError):
        pentarchy.verify(forged)
    with pytest.raises(pentarchy.GameError):
        pentarchy.replay("no record")
    with pytest.raises(pentarchy.GameError, match="record=True"):
        pentarchy.new_match(game).record()


def test_equal_seeds_give_equal_matches() -> None:
    assert play("hestia", 2).record() == play("hestia", 2).record() != play("hestia", 3).record()


@pytest.mark.parametrize("game", pentarchy.games())
def test_hints_bots_texts_and_pictures(game: str) -> None:
    playing = pentarchy.new_match(game, seed=1)
    found = pentarchy.hints(playing, "8")
    assert found and all(0 <= hint.action < playing.count for hint in found)
    assert found == pentarchy.hints(playing, "8")
    actions = pentarchy.legal_actions(playing)
    assert len(actions) == playing.count
    assert playing.action_to_string(0) == actions[0].spoken
    bot = pentarchy.Bot(game, "emperor:8", 1)
    assert 0 <= bot(playing) < playing.count and game in repr(bot)
    for seat in (None, playing.seat):
        root = ElementTree.fromstring(str(pentarchy.show(playing, seat)))
        assert root.tag.endswith("svg")
        assert len(playing.table(seat)) > 5
    copy = playing.clone()
    copy.step(0)
    assert copy.digest() != playing.digest() or copy.seat == playing.seat
    with pytest.raises(IndexError):
        pentarchy.show(playing, 9)


def test_a_picture_shows_a_seat_only_what_it_knows() -> None:
    for seed in range(8):
        playing = pentarchy.new_match("kuhn", seed=seed)
        shown = [set(re.findall("jack|queen|king", str(pentarchy.show(playing, seat)))) for seat in (0, 1, None)]
        assert len(shown[0]) == len(shown[1]) == 1 and shown[0] != shown[1] and not shown[2]


def test_bots_read_only_what_their_seat_knows() -> None:
    # The seat to act holds the same card in both states; the other one does not.
    states = []
    for other in (0, 1):
        state = pentarchy.new_state("kuhn")
        state.apply_action(0)
        state.apply_action(other)
        states.append(state)
    first, second = states
    assert first.information_state_string(0) == second.information_state_string(0)
    assert (first.observation_tensor(0) == second.observation_tensor(0)).all()
    assert (first.observation_tensor(1) != second.observation_tensor(1)).any()
    assert (first.action_features() == second.action_features()).all()
    for seed in range(20):
        bots = [pentarchy.Bot("kuhn", "emperor:50", seed) for _ in states]
        assert bots[0](first) == bots[1](second)


def test_wrong_bots_and_budgets_are_refused() -> None:
    playing = pentarchy.new_match("kuhn")
    with pytest.raises(ValueError, match="there is no bot `capitan`"):
        pentarchy.Bot("kuhn", "capitan")
    with pytest.raises(ValueError, match="is no budget"):
        pentarchy.hints(playing, "soon")
    with pytest.raises(pentarchy.GameError, match="another game"):
        pentarchy.Bot("leduc")(playing)
    with pytest.raises(TypeError):
        pentarchy.Bot("kuhn")("kuhn")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        pentarchy.new_match("kuhn", seed=-1)


def test_observations_are_written_into_arrays_of_the_caller() -> None:
    playing = pentarchy.new_match("leduc", seed=1)
    out = np.full(playing.setup.observation_size, 7, np.float32)
    assert playing.observation(0, out) is out and (out == playing.observation(0)).all()
    with pytest.raises(ValueError, match="`out` has 3 entries"):
        playing.observation(0, np.zeros(3, np.float32))
    with pytest.raises(TypeError):
        playing.observation(0, np.zeros(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("game", pentarchy.games())
def test_every_number_has_a_name(game: str) -> None:
    setup = pentarchy.make(game)
    assert len(setup.observation_names) == setup.observation_size == len(set(setup.observation_names))
    assert len(setup.action_names) == setup.action_size == len(set(setup.action_names))
    again = pickle.loads(pickle.dumps(setup))
    assert again.observation_names == setup.observation_names and again.options == setup.options


def test_information_about_games() -> None:
    info = pentarchy.info("liars-dice")
    assert info.hidden_information and info.classic and "dice" in {option.name for option in info.options}
    assert pentarchy.make("liars-dice", 3) is pentarchy.make("liars-dice", 3, {})
    with pytest.raises(ValueError, match="did you mean `hestia`"):
        pentarchy.info("hestai")


def test_the_command_lists_games_and_options() -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "pentarchy", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    listed = run()
    assert all(game in listed for game in pentarchy.games())
    assert "dice (int, 1 to 6)" in run("liars-dice") and "wild (ones or highest or none)" in run("liars-dice")


def test_types_are_complete() -> None:
    config = str(HERE.parent / "pyproject.toml")
    cache = str(Path(sys.prefix).parent / "mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", cache, "-p", "pentarchy"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text(), re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block, "python.md", "exec"), {})
