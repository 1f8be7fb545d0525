// Does each line of work by the client that oapi-codegen makes, and prints how many rows it read.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
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

// pages gives the rows of the page after a token, and the next token.
type pages func(token *string) (int, *string)

// walk asks for pages until there is no token, and counts their rows.
func walk(page pages) int {
	rows, token := page(nil)
	for token != nil {
		var more int
		more, token = page(token)
		rows += more
	}
	return rows
}

func do(ctx context.Context, c *api.ClientWithResponses, w []string) int {
	switch w[0] {
	case "listChains":
		reply := must(c.ListChainsWithResponse(ctx, &api.ListChainsParams{}))
		return len(read(reply.JSON200, reply.Status()).Chains)
	case "getTransaction":
		reply := must(c.GetTransactionWithResponse(ctx, api.GetTransactionParamsNetwork(w[1]), w[2], w[3]))
		read(reply.JSON200, reply.Status())
	case "getIcmMessage":
		reply := must(c.GetIcmMessageWithResponse(ctx, w[1]))
		read(reply.JSON200, reply.Status())
	case "getChain":
		reply := must(c.GetChainWithResponse(ctx, w[1]))
		read(reply.JSON200, reply.Status())
	case "reindexNft":
		if reply := must(c.ReindexNftWithResponse(ctx, w[1], w[2], w[3])); reply.StatusCode() != 201 {
			panic(reply.Status())
		}
	case "v1HealthCheck":
		reply := must(c.V1HealthCheckWithResponse(ctx))
		read(reply.JSON200, reply.Status())
	case "v1LiveCheck":
		reply := must(c.V1LiveCheckWithResponse(ctx))
		read(reply.JSON200, reply.Status())
	case "v2HealthCheck":
		reply := must(c.V2HealthCheckWithResponse(ctx))
		read(reply.JSON200, reply.Status())
	case "v2LiveCheck":
		reply := must(c.V2LiveCheckWithResponse(ctx))
		read(reply.JSON200, reply.Status())
	default:
		return walk(listed(ctx, c, w[0], int32(must(strconv.ParseInt(w[1], 10, 32))), w[2:]))
	}
	return 1
}

func listed(ctx context.Context, c *api.ClientWithResponses, operation string, size int32, w []string) pages {
	switch operation {
	case "listUtxos":
		all := true
		return func(token *string) (int, *string) {
			params := api.ListUtxosParams{PageSize: &size, IncludeSpent: &all, PageToken: token}
			reply := must(c.ListUtxosWithResponse(ctx, api.ListUtxosParamsNetwork(w[0]), w[1], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Utxos), page.NextPageToken
		}
	case "listVertices":
		return func(token *string) (int, *string) {
			params := api.ListVerticesParams{PageSize: &size, PageToken: token}
			reply := must(c.ListVerticesWithResponse(ctx, api.ListVerticesParamsNetwork(w[0]), w[1], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Vertices), page.NextPageToken
		}
	case "listIcmMessages":
		return func(token *string) (int, *string) {
			reply := must(c.ListIcmMessagesWithResponse(ctx, &api.ListIcmMessagesParams{PageSize: &size, PageToken: token}))
			page := read(reply.JSON200, reply.Status())
			return len(page.Messages), page.NextPageToken
		}
	case "listInternalTransactions":
		return func(token *string) (int, *string) {
			params := api.ListInternalTransactionsParams{PageSize: &size, PageToken: token}
			reply := must(c.ListInternalTransactionsWithResponse(ctx, w[0], w[1], &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Transactions), page.NextPageToken
		}
	case "getSubnetMetric":
		return func(token *string) (int, *string) {
			params := api.GetSubnetMetricParams{PageSize: &size, PageToken: token}
			reply := must(c.GetSubnetMetricWithResponse(ctx, w[0], api.GetSubnetMetricParamsMetric(w[1]), &params))
			page := read(reply.JSON200, reply.Status())
			return len(page.Results), page.NextPageToken
		}
	case "compositeQuery":
		var body api.CompositeQueryRequest
		must(0, json.Unmarshal([]byte(w[0]), &body))
		return func(token *string) (int, *string) {
			params := api.CompositeQueryParams{PageSize: &size, PageToken: token}
			reply := must(c.CompositeQueryWithResponse(ctx, &params, body))
			page := read(reply.JSON200, reply.Status())
			return len(page.Addresses), page.NextPageToken
		}
	}
	panic(operation)
}
