package uitest

import "runtime"

// Heap returns how many bytes of the heap are in use.
func Heap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
