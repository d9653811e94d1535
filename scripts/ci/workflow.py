# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the shell steps of a GitHub workflow without the service, and checks what a runner would show of them.

usage: workflow.py WORKFLOW ROOT SCRATCH      ROOT is the repository, SCRATCH a folder to write into
"""

import os
import re
import subprocess
import sys

import yaml

COMMAND = re.compile(r"^\s*::(error|warning|notice) ([^:]*)::(.*)$", re.MULTILINE)
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
# Steps that run all tests run this script.
LEFT_OUT = re.compile(r"(^|\s)(\.ci/run|scripts/test)\b")

HOLDS = """\
name: A scenario that holds
kind: blackjack.play
rules: inf-s17-das
method: exact
chart: composition
thresholds:
  - ev in -0.0052..-0.0050
"""
FAILS = HOLDS.replace("A scenario that holds", '"A scenario that fails: 100%, surely"').replace(
    "-0.0052..-0.0050", "0..1")


class Wrong(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Wrong(what)


def steps_of(path):
    """The steps of the only job; the rest of the file has to be what the service asks for."""
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    # YAML 1.1 reads the key `on` as true.
    check(workflow.get("on", workflow.get(True)), "no events start the workflow")
    check(len(workflow["jobs"]) == 1, "expected one job")
    (job,) = workflow["jobs"].values()
    check("runs-on" in job, "the job says not where it runs")
    for step in job["steps"]:
        check(("uses" in step) != ("run" in step), f"step {step} neither runs nor uses something, or does both")
        check(step.get("name"), f"step {step} has no name")
        check(re.fullmatch(r"[\w./-]+@v\d+", step.get("uses", "a/b@v1")), f"{step.get('uses')}: expected a version")
    uses = [step.get("uses", "").split("@")[0] for step in job["steps"]]
    for wanted in ("actions/checkout", "actions/cache", "actions/upload-artifact"):
        check(wanted in uses, f"no step uses {wanted}")
    upload = job["steps"][uses.index("actions/upload-artifact")]
    check("always()" in upload.get("if", ""), "the runs of a job that fails would be lost")
    return job["steps"]


def evaluated(text, known):
    """The text with its expressions replaced by what they are here."""
    def value(match):
        check(match[1] in known, f"the expression '{match[1]}' is unknown here")
        return known[match[1]]
    return EXPRESSION.sub(value, str(text))


class Runner:
    """What a runner gives to steps: variables, and a file for the summary, kept from step to step."""

    def __init__(self, root, scratch):
        self.root = root
        self.summary = os.path.join(scratch, "summary.md")
        self.home = os.path.join(scratch, "home")
        os.makedirs(self.home, exist_ok=True)
        with open(self.summary, "w", encoding="utf-8") as file:
            file.write("An earlier step wrote this.\n")
        self.variables = {
            **os.environ, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": root,
            "GITHUB_STEP_SUMMARY": self.summary, "GIT_CONFIG_GLOBAL": os.path.join(self.home, "gitconfig"),
        }

    def run(self, step, known):
        """The exit code, and everything that a runner reads of the step."""
        own = {name: evaluated(value, known) for name, value in step.get("env", {}).items()}
        # As `shell: bash` runs them.
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", evaluated(step["run"], known)], cwd=self.root,
            env={**self.variables, **own}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.returncode, run.stdout

    def shown(self):
        with open(self.summary, encoding="utf-8") as file:
            return file.read()


def decoded(text):
    for code, mark in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, mark)
    return text


def try_scenarios(runner, step, folder):
    """Runs the step that runs scenarios, first with one that holds, then with one that fails."""
    paths = {}
    for name, text in (("holds", HOLDS), ("fails", FAILS)):
        paths[name] = os.path.join(folder, f"{name}.yaml")
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(text)
    out = f" --runs {folder}/runs --no-history"
    status, output = runner.run(step, {"inputs.scenarios": paths["holds"] + out})
    check(status == 0, f"a scenario that holds ended with {status}:\n{output}")
    check("::error" not in output, f"a scenario that holds is annotated:\n{output}")
    shown = runner.shown()
    check(shown.startswith("An earlier step wrote this.\n"), "the summary of the step before was overwritten")
    check("HOLDS" in shown and "A scenario that holds" in shown, f"the summary does not say that it holds:\n{shown}")
    status, output = runner.run(step, {"inputs.scenarios": paths["fails"] + out})
    check(status == 1, f"a scenario that fails ended with {status}:\n{output}")
    errors = [(decoded(head), decoded(text)) for level, head, text in COMMAND.findall(output) if level == "error"]
    check(len(errors) == 1, f"expected one annotation, found {errors}:\n{output}")
    (head, text), line = errors[0], 1 + FAILS.split("\n").index("  - ev in 0..1")
    check(f"file={paths['fails']},line={line}," in head, f"the annotation stands elsewhere: {head}")
    check("100%, surely" in text and "assay run" in text, f"the annotation says neither what nor how: {text}")
    check("\x1b" not in output, "there are colours where a build server keeps them")
    check(runner.shown().startswith(shown), "the second run overwrote the summary of the first")
    check("FAILS" in runner.shown(), "the summary does not say that one fails")
    made = [name for name in os.listdir(os.path.join(folder, "runs")) if name.startswith("fails-")]
    check(len(made) == 1, f"expected one folder of a run that fails, found {made}")
    check(os.path.exists(os.path.join(folder, "runs", made[0], "junit.xml")), "there is no junit.xml")


def main(path, root, scratch):
    runner = Runner(root, scratch)
    ran, left = [], []
    for step in steps_of(path):
        name = step["name"]
        if "uses" in step or LEFT_OUT.search(step["run"]):
            left.append(name)
            continue
        if "assay run" in step["run"]:
            try_scenarios(runner, step, scratch)
        else:
            status, output = runner.run(step, {})
            check(status == 0, f"'{name}' ended with {status}:\n{output}")
        ran.append(name)
    check(any("scenarios" in name for name in ran), "no step runs scenarios")
    print(f"workflow: ran {', '.join(ran)}; left to the service: {', '.join(left)}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Wrong, KeyError, yaml.YAMLError) as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
