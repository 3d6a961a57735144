"""`python tests/fuzz`: see run.py."""
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from run import main
    sys.exit(main())
