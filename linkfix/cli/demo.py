"""``linkfix demo``: write the sample site, on which every command can be tried."""

from filecmp import cmp
from pathlib import Path

import click

from linkfix.cli.output import complain, escape, number
from linkfix.files.access import creating

#: The samples: beside the modules in an installed package, beside the package in a checkout.
_SAMPLES = (Path(__file__).parents[1] / "samples", Path(__file__).parents[2] / "samples")


@click.command("demo")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Write the sample site to FOLDER: a shop's page in six charsets, its feeds and its map.

    FOLDER is created; one that holds anything else is refused.
    """
    samples = next(each for each in _SAMPLES if each.is_dir())
    for each in folder.iterdir() if folder.exists() else ():
        sample = samples / each.name
        if not (each.is_file() and sample.is_file() and cmp(each, sample, shallow=False)):
            message = f"{folder} holds {each.name}, which is no sample; name a new folder."
            raise click.BadParameter(escape(message), param_hint="FOLDER")
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(each for each in samples.iterdir() if each.suffix != ".md")
    for file in files:
        with creating(folder / file.name) as out:
            out.write(file.read_bytes())
    complain(f"{number(len(files), 'document')} in {folder}; next: linkfix audit {folder}")
