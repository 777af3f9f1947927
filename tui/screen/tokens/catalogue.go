package tokens

// Entry is a token that can be picked.
type Entry struct {
	Principal string `json:"principal"`
	// TokenID is decimal, "" for a fungible token.
	TokenID string `json:"token_id,omitempty"`
	// Name is that of a non-fungible token, "" where it is not known: the server lists
	// the fungible ones only.
	Name string `json:"name,omitempty"`
	// What says in a word why the mock has the token: full, localized, pending.
	What    string   `json:"what"`
	Locales []string `json:"locales"`
}

// Catalogue holds what a mock server says it has.
type Catalogue struct {
	FT  []Entry `json:"ft"`
	NFT []Entry `json:"nft"`
}
