package facts

// HiroHosts are the public APIs of Hiro, which take a key in the header x-api-key. Clarinet
// sends the one of HIRO_API_KEY to them, and to no other (as of API 9.7.1).
var HiroHosts = []string{"api.hiro.so", "api.mainnet.hiro.so", "api.testnet.hiro.so"}
