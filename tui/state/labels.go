package state

// labelsDocument keeps what the user calls accounts and contracts. One table is enough for all
// networks: an address says of which it is.
const labelsDocument = "labels"

type labels struct {
	// Labels hold them by address.
	Labels map[string]string `json:"labels"`
}

// Labels reads the labels by address.
func (s *Store) Labels() (map[string]string, error) {
	var all labels
	_, err := s.Get(labelsDocument, &all)
	return all.Labels, err
}

// LabelsVersion returns another text whenever the labels have changed; "" while there are none.
func (s *Store) LabelsVersion() string { return s.version(labelsDocument, ".json") }

// SetLabel gives an address a label in place of the one before; "" removes that. It returns all
// labels.
func (s *Store) SetLabel(address, label string) (map[string]string, error) {
	var now map[string]string
	err := Update(s, labelsDocument, func(all *labels) error {
		if all.Labels == nil {
			all.Labels = map[string]string{}
		}
		if all.Labels[address] = label; label == "" {
			delete(all.Labels, address)
		}
		now = all.Labels
		return nil
	})
	return now, err
}
