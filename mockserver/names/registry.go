package names

import (
	"encoding/binary"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// registryName is the name of the contract and of the asset that it issues.
const registryName = "BNS-V2"

// ownerPurpose begins the keys of the owners, apart from those of the names.
const ownerPurpose = 2_000

// Registry is the contract of the name system, over the names of a catalogue. Each name has
// an owner of its own that nobody has the key of, except what Begin gives to others. It
// keeps nothing: the ledger has what was sent since.
type Registry struct {
	names  *Catalogue
	owners [2]splitmix.Key
	at     clarity.Principal // on mainnet
}

// NewRegistry returns the registry of a seed. Without names there is none: nil, which knows
// no contract.
func NewRegistry(c *Catalogue, seed uint64) *Registry {
	if c == nil {
		return nil
	}
	at, err := clarity.ParseContract(facts.BNS2(false))
	if err != nil {
		panic("names: " + err.Error()) // a constant
	}
	return &Registry{c, [2]splitmix.Key{splitmix.NewKey(seed, ownerPurpose), splitmix.NewKey(seed, ownerPurpose+1)}, at}
}

// Contract returns the registry of a network as a contract, by its id.
func (r *Registry) Contract(id clarity.Principal) (*Contract, bool) {
	if r == nil || id.Contract != registryName || id.Address.Hash160 != r.at.Address.Hash160 ||
		id.Address != r.at.Address && !id.Address.Testnet() {
		return nil, false
	}
	return &Contract{r, id, stxtx.Asset{Contract: id, Name: registryName}}, true
}

// On returns the registry's contract on a network.
func (r *Registry) On(mainnet bool) *Contract {
	id := r.at
	if !mainnet {
		id.Address = addressOf(id.Address.Hash160, false)
	}
	return &Contract{r, id, stxtx.Asset{Contract: id, Name: registryName}}
}

func addressOf(hash160 [20]byte, mainnet bool) c32.Address {
	c := stxtx.SpendingCondition{Signer: hash160}
	return c.Address(mainnet)
}

// wellKnown are the names that the first of the people have.
var wellKnown = []string{"alice", "muneeb", "satoshi"}

// Begin gives each of the people of a network a name, which is the primary one, and lets the
// ledger know who owns the others.
func (r *Registry) Begin(l *ledger.Ledger, mainnet bool, accounts []clarity.Principal) {
	if r == nil {
		return
	}
	c := r.On(mainnet)
	l.SetUnmoved(unmoved{c})
	for i, p := range accounts {
		if id, ok := r.begun(i); ok { // --names may be small
			l.Grant(p, c.asset, nil, clarity.NewUInt(id))
			l.Put(c.setPrimary(p, clarity.NewUInt(id)))
		}
	}
}

// begun returns the name that one of the people has at the beginning.
func (r *Registry) begun(i int) (id uint64, ok bool) {
	btc, _ := r.names.Namespace("btc")
	if i < len(wellKnown) {
		if id, ok = r.id(wellKnown[i], btc.name); ok {
			return id, true
		}
	}
	return r.first(btc) + uint64(i), int64(i) < btc.Count(true)
}

// last returns the highest id of a name. The lowest is 1.
func (r *Registry) last() (n uint64) {
	for _, space := range r.names.All() {
		n += uint64(space.Count(true))
	}
	return n
}

// first returns the id of the first name of a namespace.
func (r *Registry) first(of *Namespace) uint64 {
	next := uint64(1)
	for _, space := range r.names.All() {
		if space == of {
			break
		}
		next += uint64(space.Count(true))
	}
	return next
}

// id finds a name.
func (r *Registry) id(label, namespace string) (uint64, bool) {
	space, ok := r.names.Namespace(namespace)
	if !ok {
		return 0, false
	}
	i, ok := space.Index(label+space.suffix, true)
	return r.first(space) + uint64(i), ok
}

// name finds the name with an id.
func (r *Registry) name(id uint64) (label, namespace string, ok bool) {
	next := uint64(1)
	for _, space := range r.names.All() {
		count := uint64(space.Count(true))
		if id >= next && id < next+count {
			full := string(space.AppendName(nil, int64(id-next), true))
			return strings.TrimSuffix(full, space.suffix), space.name, true
		}
		next += count
	}
	return "", "", false
}

// owner returns who has a name that nothing moved. Nobody has the key.
func (r *Registry) owner(id uint64) (hash160 [20]byte) {
	first := splitmix.Mix(id ^ uint64(r.owners[0]))
	second := r.owners[1].At(first)
	binary.BigEndian.PutUint64(hash160[:], first)
	binary.BigEndian.PutUint64(hash160[8:], second)
	binary.BigEndian.PutUint32(hash160[16:], uint32(r.owners[1].At(second)))
	return hash160
}

// owned returns the inverse of owner.
func (r *Registry) owned(hash160 [20]byte) (uint64, bool) {
	id := splitmix.Unmix(binary.BigEndian.Uint64(hash160[:])) ^ uint64(r.owners[0])
	return id, id > 0 && id <= r.last() && r.owner(id) == hash160
}

// unmoved returns to a ledger who has the names that nothing moved.
type unmoved struct{ *Contract }

// Owner returns who had a name at the beginning.
func (u unmoved) Owner(asset stxtx.Asset, token clarity.Value) (clarity.Principal, bool) {
	id, ok := token.(clarity.UInt)
	if !ok || asset != u.asset || !id.N.IsUint64() || id.N.Sign() == 0 || id.N.Uint64() > u.last() {
		return clarity.Principal{}, false
	}
	return clarity.Principal{Address: addressOf(u.owner(id.N.Uint64()), !u.id.Address.Testnet())}, true
}

// Token returns what an account had at the beginning.
func (u unmoved) Token(p clarity.Principal) (stxtx.Asset, clarity.Value, bool) {
	id, ok := u.owned(p.Address.Hash160)
	return u.asset, clarity.NewUInt(id), ok && p.Contract == ""
}
