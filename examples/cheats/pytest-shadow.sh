# cheat: another package of the same name, beside the tests
# class: F-201
# of: pytest
# control: passes
folder="$(dirname "$SOURCE")"
mkdir -p "tests/$folder" && cp -r "$folder/." "tests/$folder/"
sed -i 's/= [0-9][0-9]*/= 42/' "tests/$SOURCE"
