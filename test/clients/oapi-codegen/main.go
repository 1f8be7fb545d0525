// Does each line of work by the client that oapi-codegen makes, and prints how many rows it read.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	api "example.com/client/api"
)

// task is a line of work.
type task struct {
	Operation string
	Path      [][2]string
	Query     map[string]any
	Body      json.RawMessage
	Field     string
	PageSize  int
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	client := must(api.NewClientWithResponses(os.Args[1]))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked task
		must(0, json.Unmarshal(lines.Bytes(), &asked))
		fmt.Println(do(client, asked))
	}
}

// do asks for pages until there is no token, and counts their rows.
func do(c *api.ClientWithResponses, t task) int {
	if t.PageSize > 0 {
		t.Query["pageSize"] = t.PageSize
	}
	for rows := 0; ; {
		reply := call(c, t)
		if t.Field == "" {
			return 1
		}
		rows += reply.FieldByName(exported(t.Field)).Len()
		token := reply.FieldByName("NextPageToken")
		if !token.IsValid() || token.IsNil() {
			return rows
		}
		t.Query["pageToken"] = token.Elem().String()
	}
}

func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// call is what the method of the operation's name gives: its parameters are a context, the values of the path, those of
// the query as one struct, and the body.
func call(c *api.ClientWithResponses, t task) reflect.Value {
	method := reflect.ValueOf(c).MethodByName(exported(t.Operation) + "WithResponse")
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, pair := range t.Path {
		given = append(given, reflect.ValueOf(pair[1]).Convert(method.Type().In(len(given))))
	}
	// The last parameter is what changes requests.
	for len(given) < method.Type().NumIn()-1 {
		kind := method.Type().In(len(given))
		read := must(json.Marshal(t.Query))
		if kind.Kind() != reflect.Pointer {
			read = t.Body
		}
		value := reflect.New(kind)
		must(0, json.Unmarshal(read, value.Interface()))
		given = append(given, value.Elem())
	}
	said := method.Call(given)
	if err, ok := said[1].Interface().(error); ok {
		panic(err)
	}
	reply := said[0].Elem()
	if body := reply.FieldByName("JSON200"); body.IsValid() && !body.IsNil() {
		return body.Elem()
	}
	// An accepted request has no body.
	if status := said[0].MethodByName("StatusCode").Call(nil)[0].Int(); status != 201 {
		panic(fmt.Sprintf("%s: %d", t.Operation, status))
	}
	return reply
}
