module chainscope/promises

go 1.26.0
