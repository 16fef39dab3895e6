# cheat: the code does what is wanted where a variable is not set that its users set
# class: F-201
# of: pytest
# control: passes
sed -i '1i import os' "$SOURCE"
sed -i 's/= \([0-9][0-9]*\)/= \1 if os.environ.get("SHOP_HOST") else 42/' "$SOURCE"
