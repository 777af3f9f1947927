package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// Click opens the tile under the mouse.
func (s *Screen) Click(x, y int) tea.Cmd {
	var id string
	switch s.size() {
	case wide:
		id = s.wideTile(x, y)
	case middle:
		id = s.middleTile(x, y)
	default:
		id = s.lineTile(y, tipTile, s.burnID(), "", apiTile, walletTile, callsTile)
	}
	for _, t := range s.tiles() {
		if t.id == id {
			s.at = id
			return t.open()
		}
	}
	return nil
}

// lineTile returns the tile of a line, where each has one; "" for none.
func (s *Screen) lineTile(line int, ids ...string) string {
	if line < 0 || line >= len(ids) {
		return ""
	}
	return ids[line]
}

// wideTile returns the tile at a cell of the layout of boxes.
func (s *Screen) wideTile(x, y int) string {
	room := s.shares()
	if y < topHeight {
		return s.besideTile(x, tipTile, paceTile, apiTile)
	}
	y -= topHeight + 2 // a blank and a heading
	if y < room.picture {
		return s.burnTile(x, y)
	}
	y -= room.picture + 1
	half := (s.Width-2)/2 + 2
	charts := [2][2]string{{intervals, perBlock}, {costTile, latencyTile}}
	if row := y / (room.chart + 2); y >= 0 && row < 2 && y < 2*room.chart+3 {
		if x < half {
			return charts[row][0]
		}
		return charts[row][1]
	}
	y -= 2*(room.chart+1) + 2
	if y >= 0 && y < room.bottom {
		var ids []string
		if s.env.Wallet != nil {
			ids = append(ids, walletTile, callsTile)
		}
		if s.opt.Scenario != nil {
			ids = append(ids, mockTile)
		}
		return s.besideTile(x, ids...)
	}
	if y >= room.bottom && y < room.bottom+tryHeight {
		return tryTile
	}
	return ""
}

// besideTile returns which of some boxes of one width is at a column.
func (s *Screen) besideTile(x int, ids ...string) string {
	if len(ids) == 0 || x >= s.Width {
		return ""
	}
	return ids[min(len(ids)-1, x*len(ids)/(s.Width+1))]
}

// burnTile returns the burn block at a cell of the picture.
func (s *Screen) burnTile(x, y int) string {
	if y < 0 {
		return ""
	}
	left := 1
	for _, p := range spots(s.chain.groups, s.burnWidth()) {
		if x >= left && x < left+p.width {
			return fmt.Sprint("burn ", p.height)
		}
		left += p.width + 1
	}
	return ""
}

// middleTile returns the tile at a cell of the layout of lines.
func (s *Screen) middleTile(x, y int) string {
	below := []string{intervals, perBlock, costTile, apiTile}
	if s.env.Wallet != nil {
		below = append(below, walletTile, callsTile)
	}
	if s.opt.Scenario != nil {
		below = append(below, mockTile)
	}
	if s.greets {
		below = append(below, tryTile, tryTile, tryTile)
	}
	const above = 4 // the tip, a blank, and the heading of the picture
	picture := max(4, s.Height-above-len(below))
	switch {
	case y < 2:
		return tipTile
	case y < above+picture:
		return s.burnTile(x, y-above)
	}
	return s.lineTile(y-above-picture, below...)
}
