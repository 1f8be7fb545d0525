// Reads every list to its end, and every single thing, by the client that oapi-codegen makes.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	api "example.com/client/api"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// read is what a reply with status 200 holds.
func read[T any](body *T, status string) *T {
	if body == nil {
		panic(status)
	}
	return body
}

func main() {
	client := must(api.NewClientWithResponses(os.Args[1]))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(do(context.Background(), client, strings.Fields(lines.Text())))
	}
}

// walk asks for pages until there is no token, and counts their rows.
func walk(page func(token *string) (int, *string)) int {
	rows, token := page(nil)
	for token != nil {
		var more int
		more, token = page(token)
		rows += more
	}
	return rows
}

func do(ctx context.Context, c *api.ClientWithResponses, w []string) int {
	large, small, all := int32(100), int32(10), true
	switch w[0] {
	case "utxos":
		return walk(func(token *string) (int, *string) {
			params := api.ListUtxosParams{PageSize: &large, IncludeSpent: &all, PageToken: token}
			reply := must(c.ListUtxosWithResponse(ctx, api.ListUtxosParamsNetwork(w[1]), w[2], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Utxos), page.NextPageToken
		})
	case "vertices":
		return walk(func(token *string) (int, *string) {
			params := api.ListVerticesParams{PageSize: &small, PageToken: token}
			reply := must(c.ListVerticesWithResponse(ctx, api.ListVerticesParamsNetwork(w[1]), w[2], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Vertices), page.NextPageToken
		})
	case "messages":
		return walk(func(token *string) (int, *string) {
			reply := must(c.ListIcmMessagesWithResponse(ctx, &api.ListIcmMessagesParams{PageSize: &large, PageToken: token}))
			page := read(reply.JSON200, reply.Status())
			return len(page.Messages), page.NextPageToken
		})
	case "internals":
		return walk(func(token *string) (int, *string) {
			params := api.ListInternalTransactionsParams{PageSize: &small, PageToken: token}
			reply := must(c.ListInternalTransactionsWithResponse(ctx, w[1], w[2], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Transactions), page.NextPageToken
		})
	case "metric":
		return walk(func(token *string) (int, *string) {
			params := api.GetSubnetMetricParams{PageSize: &small, PageToken: token}
			reply := must(c.GetSubnetMetricWithResponse(ctx, w[1], api.GetSubnetMetricParamsMetric(w[2]), &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Results), page.NextPageToken
		})
	case "chains":
		reply := must(c.ListChainsWithResponse(ctx, &api.ListChainsParams{}))
		return len(read(reply.JSON200, reply.Status()).Chains)
	case "transaction":
		reply := must(c.GetTransactionWithResponse(ctx, api.GetTransactionParamsNetwork(w[1]), w[2], w[3]))
		read(reply.JSON200, reply.Status())
		return 1
	case "message":
		reply := must(c.GetIcmMessageWithResponse(ctx, w[1]))
		read(reply.JSON200, reply.Status())
		return 1
	case "chain":
		reply := must(c.GetChainWithResponse(ctx, w[1]))
		read(reply.JSON200, reply.Status())
		return 1
	}
	one := must(c.V1HealthCheckWithResponse(ctx))
	two := must(c.V1LiveCheckWithResponse(ctx))
	three := must(c.V2HealthCheckWithResponse(ctx))
	four := must(c.V2LiveCheckWithResponse(ctx))
	for _, body := range []*api.HealthCheck{one.JSON200, two.JSON200, three.JSON200, four.JSON200} {
		read(body, "no health")
	}
	return 4
}
