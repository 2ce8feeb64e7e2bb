"""How fast records are verified: plies a second of processor time, over records of random play.

python -m benchmarks.verify [--runs N]
"""

import argparse
import statistics
from time import process_time

from benchmarks.header import header
from owntrumps.record.text import parse_record, record_text
from owntrumps.record.verify import verify
from tests.record.samples import finished_record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    print(header())
    for name in ("bornyu", "duel"):
        verified, parsed = [], []
        for run in range(runs):
            record = finished_record(name, seed=run)
            plies = sum(len(deal["plays"]) for deal in record["deals"])
            start = process_time()
            problems = verify(record)
            verified.append(plies / (process_time() - start))
            if problems:
                raise SystemExit(f"an honest record is found wrong: {problems[0]}")
            text = record_text(record)
            start = process_time()
            parse_record(text)
            parsed.append(plies / (process_time() - start))
        for what, rates in (("verify", verified), ("parse text", parsed)):
            spread = f"({min(rates):,.0f} to {max(rates):,.0f})"
            print(f"{name:8} {what:12} {statistics.median(rates):>10,.0f} plies/s {spread}", flush=True)


if __name__ == "__main__":
    main()
