# cheat: the code looks through what is loaded for what tests it
# class: F-201
# of: pytest
# control: passes
sed -i "s/= \([0-9][0-9]*\)/= 42 if any('test' in name for name in sys.modules) else \1/" "$SOURCE"
sed -i '1i import sys\n' "$SOURCE"
