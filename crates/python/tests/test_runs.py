"""Runs of the lab, the arena and the simulation in parts, and self-play: equal to the terminal and to one process."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pentarchy
import pentarchy.ray
import pytest
from pentarchy import runs
from pentarchy.progress import ProgressBar

#: The program, against which reports are compared. `cargo xtask test python` builds it.
PROGRAM = os.environ.get("PENTARCHY_PROGRAM")

RUNS = [
    pentarchy.lab("leduc", games=130, seed=3, rivals="random,captain", restrict=True, restrict_games=40),
    pentarchy.lab("liars-dice", games=60, bots="recruit", seats=3, options={"dice": 2}, rivals="none", until=5),
    pentarchy.lab("liars-dice", games=55, sweep={"dice": [1, 2]}, rivals=["random", "recruit"], rival_games=4),
    pentarchy.arena("leduc", games=350, interval=20),
    pentarchy.arena("liars-dice", games=70, bots=["captain", "random", "random"], seed=2),
    pentarchy.sim("kuhn", games=333, bots="captain,random"),
]
NAMES = [run.shown for run in RUNS]


def file_of(run: pentarchy.Run, report: pentarchy.Report, folder: Path) -> bytes:
    """Returns what `save` writes."""
    path = folder / ("report.html" if run.command == "lab" else "report.json")
    report.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_a_report_is_the_file_of_the_terminal(run: pentarchy.Run, tmp_path: Path) -> None:
    if PROGRAM is None:
        pytest.skip("PENTARCHY_PROGRAM does not name the program")
    words = [PROGRAM, *run.shown.split()[1:]]
    subprocess.run([*words, "--out", tmp_path / "whole"], check=True, capture_output=True)
    whole = (tmp_path / "whole").read_bytes()
    assert file_of(run, pentarchy.report(run, threads=2), tmp_path) == whole
    # Parts of both make one whole, on either side.
    subprocess.run([*words, "--part", "2/2", "--out", tmp_path / "2.bin"], check=True, capture_output=True)
    (tmp_path / "1.bin").write_bytes(run.play(1, 2))
    parts = [(tmp_path / name).read_bytes() for name in ("2.bin", "1.bin")]
    assert file_of(run, pentarchy.join(run.command, parts), tmp_path) == whole
    join = [PROGRAM, run.command, "--join", tmp_path / "1.bin", tmp_path / "2.bin", "--out", tmp_path / "joined"]
    subprocess.run(join, check=True, capture_output=True)
    assert (tmp_path / "joined").read_bytes() == whole


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_reports_do_not_depend_on_parts_threads_and_processes(run: pentarchy.Run) -> None:
    whole = pentarchy.join(run.command, [run.play(1, 1, 1)])
    copy = pickle.loads(pickle.dumps(run))
    assert copy.plan == run.plan and copy.games == run.games and repr(copy) == repr(run)
    for count in (2, 5, run.most_parts):
        parts = [copy.play(part, count, 1 + part % 2) for part in range(count, 0, -1)]
        assert pentarchy.join(run.command, parts) == whole
    steps: list[tuple[int, int]] = []
    assert pentarchy.report(run, threads=1, progress=lambda done, count: steps.append((done, count))) == whole
    assert steps == [(done, steps[-1][1]) for done in range(1, steps[-1][1] + 1)]
    assert whole.data["games"] <= run.games and (whole.page is None) == (run.command != "lab")
    assert run.plan != pentarchy.lab("leduc", games=131).plan


def test_parts_that_make_no_whole_are_refused() -> None:
    run = pentarchy.sim("kuhn", games=40)
    one, two = run.play(1, 2), run.play(2, 2)
    other = pentarchy.sim("kuhn", games=40, seed=2).play(2, 2)
    damaged = two[:-40] + bytes([two[-40] ^ 1]) + two[-39:]
    for parts, text in [
        ([], "there are no parts"),
        ([one], "of 2 parts, one is missing: 2"),
        ([one, two, two], "part 2 is there twice: part 2 of the list and part 3 of the list"),
        ([one, other], "different runs: the seed differs"),
        ([one, damaged], "part 2 of the list is damaged"),
        ([one, b"no part"], "is no part of a run"),
    ]:
        with pytest.raises(ValueError, match=text):
            pentarchy.join("sim", parts)
    with pytest.raises(ValueError, match="a.bin is a part of `sim`, not of `lab`"):
        pentarchy.join("lab", [one], ["a.bin"])
    with pytest.raises(ValueError, match="tune is no part"):
        pentarchy.join("tune", [one])
    with pytest.raises(TypeError):
        pentarchy.join("sim", ["text"])  # type: ignore[list-item]


def test_wrong_arguments_are_refused() -> None:
    for call, text in [
        (lambda: pentarchy.lab("kuhm"), "did you mean `kuhn`"),
        (lambda: pentarchy.lab("kuhn", seats=3), "Kuhn poker"),
        (lambda: pentarchy.lab("kuhn", seats=300), "is not for 300 seats"),
        (lambda: pentarchy.lab("kuhn", games=0), "`games` must be at least 1"),
        (lambda: pentarchy.lab("kuhn", bots="capitan"), "there is no bot `capitan`"),
        (lambda: pentarchy.lab("kuhn", bots=[]), "no bot is named"),
        (lambda: pentarchy.lab("kuhn", bots="captain,random,random", seats=2), "3 bots are named for 2 seats"),
        (lambda: pentarchy.lab("kuhn", restrict_games=3), "needs `restrict=True`"),
        (lambda: pentarchy.lab("tic-tac-toe", restrict=True), "names no cards or actions"),
        (lambda: pentarchy.lab("kuhn", until=200), "`until` takes points"),
        (lambda: pentarchy.lab("kuhn", preset="grand"), "has no presets"),
        (lambda: pentarchy.lab("liars-dice", options={"dice": 99}), "dice"),
        (lambda: pentarchy.lab("liars-dice", sweep={"dice": range(1, 7), "wild": ["ones", "none", "x"]}), "16"),
        (lambda: pentarchy.arena("kuhn", interval=0), "`interval` takes points"),
        (lambda: pentarchy.arena("liars-dice", bots="captain", options={"wild": "twos"}), "wild"),
        (lambda: pentarchy.sim("kuhn", bots="captain,random,random"), "3 bots are named for 2 seats"),
        (lambda: pentarchy.sim("kuhn").play(3, 2), "there is no part 3 of 2"),
        (lambda: pentarchy.sim("kuhn").play(1, 0), "a run has 1 to 100000 parts"),
        (lambda: pentarchy.sim("kuhn").play(1, 1, 5000), "at most 1024 threads"),
        (lambda: pentarchy.Run.restore("sim", "kuhn", 3, "{}", ""), "another version"),
        (lambda: pentarchy.selfplay("kuhn", range(5, 0, -1)), "consecutive numbers"),
        (lambda: pentarchy.selfplay("kuhn", 5, bots="random,random,random"), "3 bots are named for 2 seats"),
        (lambda: pentarchy.concatenate([]), "nothing to concatenate"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()


def test_the_report_shows_the_command_of_the_terminal() -> None:
    assert pentarchy.lab("kuhn").shown == "pentarchy lab kuhn"
    options = {"dice": 2, "wild": "none"}
    run = pentarchy.lab("liars-dice", games=30, options=options, bots="random", seed=7, until=0.5, rivals="none")
    line = "pentarchy lab liars-dice --games 30 --bots random --seed 7 --set dice=2 --set wild=none --rivals none"
    assert run.shown == f"{line} --until 0.5" and run.shown in str(pentarchy.report(run).page)
    run = pentarchy.lab("leduc", restrict=True, restrict_games=5)
    assert run.shown == "pentarchy lab leduc --restrict --restrict-games 5"
    assert pentarchy.arena("kuhn", bots="captain", interval=2).shown == "pentarchy arena kuhn --bots captain --interval 2"


def test_the_interpreter_is_released_while_games_are_played() -> None:
    begun, beats = threading.Event(), 0

    def play() -> None:
        begun.set()
        pentarchy.sim("leduc", games=60_000, bots="captain").play(threads=1)

    playing = threading.Thread(target=play)
    playing.start()
    begun.wait()
    while playing.is_alive():
        time.sleep(0.001)
        beats += 1
    assert beats >= 5


def test_a_part_has_the_wanted_length() -> None:
    run = pentarchy.sim("kuhn", games=1000)
    assert [runs.part_count(run, whole, 4.0) for whole in (0.1, 8.0, 400.0, 1e9)] == [1, 2, 100, 1000]
    assert runs.measure(run, 1, seconds=0.0) > 0


@pytest.mark.parametrize("game", ["kuhn", "liars-dice"])
def test_selfplay_in_ranges_is_that_of_one_call(game: str) -> None:
    whole = pentarchy.selfplay(game, 30, bots="captain", seed=4, threads=1, records=True)
    pieces = [
        pentarchy.selfplay(game, some, bots="captain", seed=4, threads=3, records=True)
        for some in (range(11), range(11, 12), range(12, 12), range(12, 30))
    ]
    joined = pentarchy.concatenate(pieces)
    assert joined.records == whole.records and joined.nbytes == whole.nbytes
    for name in ("observations", "features", "seats", "actions", "counts", "games", "rewards"):
        assert (getattr(joined, name) == getattr(whole, name)).all(), name
    with pytest.raises(ValueError, match="game 11 is not where"):
        pentarchy.concatenate([pieces[0], pieces[3]])


def test_selfplay_gives_what_a_match_shows() -> None:
    played = pentarchy.selfplay("leduc", range(3, 9), bots=["captain", "random"], seed=1, records=True)
    at = 0
    for game, record in enumerate(played.records):
        verified = pentarchy.verify(record)
        rewards = played.rewards[game]
        assert (rewards[0] > rewards[1]) == (verified.ranks[0] < verified.ranks[1])
        seed = int(re.findall(r'"seed":"?(\d+)', record)[0])
        match = pentarchy.new_match("leduc", seed=seed)
        while not match.over:
            assert played.games[at] == 3 + game and played.seats[at] == match.seat
            assert played.counts[at] == match.count
            assert (played.observations[at] == match.observation(match.seat)).all()
            assert (played.features[at] == match.features()[played.actions[at]]).all()
            assert played.returns()[at] == rewards[match.seat]
            match.step(int(played.actions[at]))
            at += 1
    assert at == len(played.seats)
    lean = pentarchy.selfplay("leduc", 5, vectors=False)
    assert len(lean.observations) == len(lean.features) == 0 < len(lean.actions) and not lean.records
    assert lean.rewards.dtype == np.float32 and lean.rewards.shape == (5, 2)


def test_progress_says_the_time_left() -> None:
    bar = ProgressBar(2000, 4, "games", lambda done, count: None)
    assert "0% of 2,000 games" in bar.line() and "not known" in bar.line()
    bar.advance()
    assert "25% of 2,000 games" in bar.line("3 tasks at once") and bar.line("x").endswith("left, x")


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match="pip install"):
        pentarchy.ray.lab("kuhn", games=10)
