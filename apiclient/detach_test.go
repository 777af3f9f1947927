package apiclient

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// bodyParts hands out parts of one text, as decoding does.
type bodyParts struct {
	text string
	at   int
}

func (b *bodyParts) part() string { b.at += 8; return b.text[b.at : b.at+8] }

// fill gives every field of a block a value; texts are parts of the body.
func (b *bodyParts) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(b.part())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8:
		v.SetUint('1')
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		b.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			b.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		b.fill(key)
		b.fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			b.fill(v.Field(i))
		}
	}
}

// textsOf calls back for every text of a value. Lacks are the client's own words.
func textsOf(v reflect.Value, found func(string)) {
	switch {
	case v.Type() == reflect.TypeFor[Lacks]():
	case v.Kind() == reflect.String:
		found(v.String())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			textsOf(v.Index(i), found)
		}
	case v.Kind() == reflect.Map:
		for _, k := range v.MapKeys() {
			textsOf(k, found)
			textsOf(v.MapIndex(k), found)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			textsOf(v.Field(i), found)
		}
	}
}

func checkDetached[T any](t *testing.T, detach func(*T) T) {
	t.Helper()
	body := &bodyParts{text: strings.Repeat("0123456789abcdef.", 30)}
	var full, empty T
	body.fill(reflect.ValueOf(&full).Elem())
	for _, block := range []T{full, empty} {
		own := detach(&block)
		if d := cmp.Diff(block, own); d != "" {
			t.Error(d)
		}
		begin := uintptr(unsafe.Pointer(unsafe.StringData(body.text)))
		textsOf(reflect.ValueOf(own), func(s string) {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); at >= begin && at < begin+uintptr(len(body.text)) {
				t.Errorf("%T: %q is still a part of the body", own, s)
			}
		})
	}
	own := detach(&full)
	if extra := reflect.ValueOf(own).FieldByName("Extra").Interface().(map[string]json.RawMessage); len(extra) != 1 {
		t.Fatalf("%d fields that the contract does not name", len(extra))
	}
	changed := reflect.ValueOf(full).FieldByName("TenureHeight")
	changed.Elem().SetInt(8)
	if reflect.ValueOf(own).FieldByName("TenureHeight").Elem().Int() == 8 {
		t.Errorf("%T shares its tenure height", own)
	}
}

func TestADetachedBlockSaysTheSameAndKeepsNoBody(t *testing.T) {
	checkDetached(t, (*Block).Detach)
	checkDetached(t, (*ListedBlock).Detach)
}
