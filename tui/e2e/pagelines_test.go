//go:build unix

package e2e

// treatment describes how a line of a page is tried, where running it in a shell and seeing it
// end with 0 is not the way.
type treatment struct {
	not   string // why it is not run
	code  int    // the exit code, where it is another
	waits string // what it asks in a terminal
	keys  string // what is pressed then
}

// Why a line is not run.
const (
	live          = "asks a live API"
	aGateStep     = "is a step of the gate by itself"
	aProtocolLine = "is a line between two programs"
	byRelease     = "is tried by .ci/release on what it has built"
	byHand        = "takes longer than the gate, or changes the repository"
)

// readBy are commands that read a file of a page which none of its own lines reads.
var readBy = map[string]string{
	"block.yaml":           "chainscope demo block.yaml --record block.svg",
	"config.toml":          "chainscope blocks --api mock --limit 1 --config config.toml",
	"rent.spec.js":         "npx playwright test rent.spec.js",
	"playwright.config.js": "npx playwright test --config=printed.config.js script.spec.js && grep -q 'failures=\"0\"' wallet.xml",
}

// treated are the lines that are tried in another way or not at all, and the texts that
// are no commands.
var treated = map[string]treatment{
	// README.md and CONTRIBUTING.md
	"CGO_ENABLED=0 go build -o chainscope .":            {not: aGateStep},
	"go build -o chainscope .":                          {not: aGateStep},
	"git clone REPOSITORY chainscope && cd chainscope":  {not: "has the reader's own address"},
	"go mod download":                                   {not: aGateStep},
	"CGO_ENABLED=0 go test ./...":                       {not: aGateStep},
	"go run .":                                          {not: aGateStep},
	"go test ./...":                                     {not: aGateStep},
	"bash .ci/run":                                      {not: aGateStep},
	"bash .ci/run list":                                 {not: aGateStep},
	"bash .ci/run lint race":                            {not: aGateStep},
	"go test ./tui/screen/blocks -update":               {not: byHand},
	"bash .ci/release 1.2.3":                            {not: byHand},
	"bash .ci/module chainscope.dev/chainscope":         {not: byHand},
	"tar -xzf dist/chainscope_1.2.3_linux_amd64.tar.gz": {not: byRelease},
	"sudo dpkg -i dist/chainscope_1.2.3_amd64.deb":      {not: byRelease},
	"docker build -f .ci/Dockerfile -t chainscope .":    {not: "needs Docker and its images"},
	"go -C .ci/mutate run . -changes 10":                {not: aGateStep},
	"go test -count=1 -v -tags outages -timeout 90m ./tui/e2e -run TestOutages -duration 1h":                            {not: byHand},
	"go test -count=1 -v -tags outages ./tui/e2e -run TestOutages -duration 2m -seed 1":                                 {not: byHand},
	"scope: imperative summary of at most 60 characters":                                                                {not: "is the form of a commit message"},
	`{Name: "parenttime", Field: "parent_time", Head: "PARENT", Type: Moment, Least: 10, Most: 19, Keep: 2, Value: …},`: {not: "is a line of Go"},

	// engine.md
	"market.buy(u7) → (ok true)": {not: "is a tree of calls"},

	// ARCHITECTURE.md
	"main.go": {not: "is a sketch of the packages"},

	// explorer.md and troubleshooting.md
	"chainscope demo":                                                         {waits: "Home: the newest block", keys: "q"},
	"chainscope demo test":                                                    {waits: "A web page asks to send 25 USDA", keys: "q"},
	"chainscope --api mainnet":                                                {not: live},
	"chainscope --api testnet":                                                {not: live},
	"chainscope --api https://stacks-node.example:3999":                       {not: live},
	"chainscope --api mainnet --header 'x-api-key: YOUR-KEY'":                 {not: live},
	"chainscope check https://api.hiro.so":                                    {not: live},
	"chainscope check https://api.hiro.so --against mock":                     {not: live},
	`usda                    a word          "two words"      words in a row`: {not: "is typed into a filter"},
	"type:contract_call,coinbase   from:alice.btc   to:SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH": {not: "is typed into a filter"},

	"chainscope blocks --limt 5": {code: 2},

	// mock.md
	"curl -H 'Prefer: code=429' 127.0.0.1:3999/extended/v1/block":                      {code: 22},
	`curl -d '{"drop":"0x…","reason":"too_expensive"}' 127.0.0.1:3999/mock/v1/mempool`: {code: 22}, // the reader puts an id there
	"chainscope mock --upstream https://api.hiro.so --record tape":                     {not: live},
	"chainscope mock --replay tape":                                                    {not: "needs what the line before has recorded"},
	`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"block"}}`:         {not: "is sent by a WebSocket"},

	// wallet.md
	"chainscope wallet request stx_transferStx @transfer.json --account 3 --network testnet": {waits: "approve? [a/N]", keys: "a\r"},

	// dapps-in-ci.md
	"chainscope bridge": {waits: "bridge listening on", keys: interruptKey},
	"chainscope bridge --proxy http://localhost:5173":                                {waits: "bridge listening on", keys: interruptKey},
	"chainscope bridge --api-for https://api.hiro.so --api-for https://node.example": {waits: "bridge listening on", keys: interruptKey},
	"http://127.0.0.1:3998 asks fonts.example, which is not on this machine":         {not: "is what the bridge prints of a page"},

	// engine.md
	"chainscope mock --clarity --clarity-engine 'my-engine --fast'":                                     {not: "needs another program"},
	`{"chainscope-clarity":1,"vm":"clarinet-sdk 3.21.0","forks":true}`:                                  {not: aProtocolLine},
	`{"read":1,"path":"/v2/clarity/marf/01a54e…?tip=0000…ac44c060&proof=false"}`:                        {not: aProtocolLine},
	`{"id":7,"do":"variable","session":"s1","contract":"ST….counter","name":"total"}`:                   {not: aProtocolLine},
	`{"at":4,"kept":true,"result":"0x0703","events":[…],"cost":{"read_count":3,…}}`:                     {not: aProtocolLine},
	`{"at":4,"kept":false,"failure":{"message":"…","error":"ArithmeticUnderflow","contract":"counter",`: {not: aProtocolLine},

	// contracts.md
	"npm install --save-dev @playwright/test ./dist/chainscope-1.2.3.tgz ./dist/chainscope-linux-x64-1.2.3.tgz ./dist/chainscope-clarity-1.2.3.tgz": {not: byRelease},
	"npx playwright install chromium":                    {not: "downloads a browser"},
	"npx playwright test counter.spec.js":                {not: "needs the program that runs contracts; the step clarity has it"},
	"chainscope mock --project ../my-project --automine": {not: "needs the program that runs contracts; the step clarity has it"},

	// fork.md
	"chainscope mock --fork mainnet --project . --automine": {not: live},
	"[repl.remote_data]":                               {not: "is a part of a Clarinet project"},
	"chainscope tx TXID --trace --api mainnet":         {not: live},
	"chainscope mock --fork mainnet --impersonate all": {not: live},
	"chainscope mock --fork mainnet --fork-height 8700000 --fork-cache test/mainnet --automine":                {not: live},
	"chainscope mock --fork mainnet --fork-height 8700000 --fork-cache test/mainnet --fork-offline --automine": {not: "needs what the line before has read"},

	// performance.md
	"bash .ci/measure/run":             {not: byHand},
	"bash .ci/measure/run T3":          {not: byHand},
	"go test -run '^$' -bench . ./...": {not: byHand},
}

const interruptKey = "\x03" // ctrl+c
