package bridgetest

// Answers say in one value what a contract answers. Values are Clarity literals, such as
// (ok u5).
type Answers struct {
	Reads map[string][]Read     `json:"reads,omitempty"` // by the name of a read-only function
	Calls map[string][]Call     `json:"calls,omitempty"` // by that of a public one
	Vars  map[string]string     `json:"vars,omitempty"`
	Maps  map[string][]MapEntry `json:"maps,omitempty"`
}

// Read holds what a read-only function answers to Args, nil for any.
type Read struct {
	Args   []string `json:"args,omitempty"`
	Result string   `json:"result"`
}

// Call describes how a call with Args comes out, nil for any, and what it moves, prints and sets
// where it succeeds. In literals $1 is the first argument, $sender who calls and $contract
// the contract.
type Call struct {
	Args   []string `json:"args,omitempty"`
	Result string   `json:"result"`
	Moves  []Move   `json:"moves,omitempty"`
	Prints []string `json:"prints,omitempty"`
	Sets   Sets     `json:"sets"`
}

// Move is an asset that a call moves: STX, or ADDRESS.contract::name. Without From it is
// minted, without To burned; both are sender, contract, a principal or an argument. Amount
// is for STX and fungible tokens, ID for non-fungible ones.
type Move struct {
	Asset  string `json:"asset"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Amount string `json:"amount,omitempty"`
	ID     string `json:"id,omitempty"`
}

// Sets are the variables and map entries that a call leaves.
type Sets struct {
	Vars map[string]string `json:"vars,omitempty"`
	Maps []SetEntry        `json:"maps,omitempty"`
}

// SetEntry is a map entry that a call leaves.
type SetEntry struct {
	Name  string `json:"name"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// MapEntry is a key of a map with its value.
type MapEntry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Contract returns what a contract answers; later answers are added to those before.
func (c *Chain) Contract(id string, answers Answers) error {
	return c.do("contracts", struct {
		Contract string `json:"contract"`
		Answers
	}{id, answers})
}

// FundTokens gives an account balances of fungible tokens, by ADDRESS.contract::name, in
// their smallest units; other balances stay.
func (c *Chain) FundTokens(address string, tokens map[string]uint64) error {
	return c.do("accounts", map[string]any{"address": address, "tokens": tokens})
}
