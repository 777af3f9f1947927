package keys

import "slices"

// TestMnemonic is public: its keys are for tests, never for coins
// of worth.
const TestMnemonic = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

// clarinetMnemonics returns those that Clarinet writes into the settings of each new project.
func clarinetMnemonics() []string {
	return []string{
		"twice kind fence tip hidden tilt action fragile skin nothing glory cousin green tomorrow spring wrist shed math olympic multiply hip blue scout claw",
		"sell invite acquire kitten bamboo drastic jelly vivid peace spawn twice guilt pave pen trash pretty park cube fragile unaware remain midnight betray rebuild",
		"hold excess usual excess ring elephant install account glad dry fragile donkey gaze humble truck breeze nation gasp vacuum limb head keep delay hospital",
		"cycle puppy glare enroll cost improve round trend wrist mushroom scorpion tower claim oppose clever elephant dinosaur eight problem before frozen dune wagon high",
		"board list obtain sugar hour worth raven scout denial thunder horse logic fury scorpion fold genuine phrase wealth news aim below celery when cabin",
		"hurry aunt blame peanut heavy update captain human rice crime juice adult scale device promote vast project quiz unit note reform update climb purchase",
		"area desk dutch sign gold cricket dawn toward giggle vibrant indoor bench warfare wagon number tiny universe sand talk dilemma pottery bone trap buddy",
		"prevent gallery kind limb income control noise together echo rival record wedding sense uncover school version force bleak nuclear include danger skirt enact arrow",
		"female adjust gallery certain visit token during great side clown fitness like hurt clip knife warm bench start reunion globe detail dream depend fortune",
		"shadow private easily thought say logic fault paddle word top book during ignore notable orange flight clock image wealth health outside kitten belt reform",
	}
}

// isPublic reports whether the keys of a mnemonic are public.
func isPublic(words, passphrase Secret) bool {
	text := words.Reveal()
	return passphrase.Empty() && (text == TestMnemonic || slices.Contains(clarinetMnemonics(), text))
}

// PublicTest reports whether these are keys of public mnemonics alone: that of [TestMnemonic], or
// those of a new Clarinet project.
func (r *Ring) PublicTest() bool {
	if len(r.joined) == 0 {
		return r.public
	}
	return !slices.ContainsFunc(r.joined, func(m Member) bool { return !m.Ring.public })
}
