// Does each line of work by the client that openapi-generator makes, and prints how many rows it read.
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client := api.NewAPIClient(configuration)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(do(context.Background(), client, strings.Fields(lines.Text())))
	}
}

// pages gives the rows of the page after a token, and the next token.
type pages func(token string) (int, *string)

// walk asks for pages until there is no token, and counts their rows.
func walk(page pages) int {
	rows, token := page("")
	for token != nil {
		var more int
		more, token = page(*token)
		rows += more
	}
	return rows
}

func do(ctx context.Context, c *api.APIClient, w []string) int {
	var err error
	switch w[0] {
	case "listChains":
		reply, _, err := c.EVMChainsAPI.ListChains(ctx).Execute()
		must(err)
		return len(reply.Chains)
	case "getTransaction":
		_, _, err = c.PrimaryNetworkAPI.GetTransaction(ctx, w[1], w[2], w[3]).Execute()
	case "getIcmMessage":
		_, _, err = c.InterchainMessagesAPI.GetIcmMessage(ctx, w[1]).Execute()
	case "getChain":
		_, _, err = c.EVMChainsAPI.GetChain(ctx, w[1]).Execute()
	case "reindexNft":
		_, err = c.NFTsAPI.ReindexNft(ctx, w[1], w[2], w[3]).Execute()
	case "v1HealthCheck":
		_, _, err = c.HealthAPI.V1HealthCheck(ctx).Execute()
	case "v1LiveCheck":
		_, _, err = c.HealthAPI.V1LiveCheck(ctx).Execute()
	case "v2HealthCheck":
		_, _, err = c.HealthAPI.V2HealthCheck(ctx).Execute()
	case "v2LiveCheck":
		_, _, err = c.HealthAPI.V2LiveCheck(ctx).Execute()
	default:
		size, err := strconv.ParseInt(w[1], 10, 32)
		must(err)
		return walk(listed(ctx, c, w[0], int32(size), w[2:]))
	}
	must(err)
	return 1
}

// composite is made as programs make it. Read from JSON a sub-query would be refused: without its type, which the generated code
// does not compare, several kinds are alike.
func composite(given []byte) api.CompositeQueryRequest {
	var body struct {
		Operator string
		Queries  []json.RawMessage
	}
	must(json.Unmarshal(given, &body))
	var balance api.AllTimeNativeBalance
	var nft api.AnyTimeNftHolders
	must(json.Unmarshal(body.Queries[0], &balance))
	must(json.Unmarshal(body.Queries[1], &nft))
	queries := []api.SubQuery{api.AllTimeNativeBalanceAsSubQuery(&balance), api.AnyTimeNftHoldersAsSubQuery(&nft)}
	return *api.NewCompositeQueryRequest(body.Operator, queries)
}

func listed(ctx context.Context, c *api.APIClient, operation string, size int32, w []string) pages {
	switch operation {
	case "listUtxos":
		return func(token string) (int, *string) {
			reply, _, err := c.PrimaryNetworkAPI.ListUtxos(ctx, w[0], w[1]).IncludeSpent(true).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Utxos), reply.NextPageToken
		}
	case "listVertices":
		return func(token string) (int, *string) {
			reply, _, err := c.PrimaryNetworkAPI.ListVertices(ctx, w[0], w[1]).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Vertices), reply.NextPageToken
		}
	case "listIcmMessages":
		return func(token string) (int, *string) {
			reply, _, err := c.InterchainMessagesAPI.ListIcmMessages(ctx).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Messages), reply.NextPageToken
		}
	case "listInternalTransactions":
		return func(token string) (int, *string) {
			reply, _, err := c.EVMChainsAPI.ListInternalTransactions(ctx, w[0], w[1]).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Transactions), reply.NextPageToken
		}
	case "getSubnetMetric":
		return func(token string) (int, *string) {
			reply, _, err := c.MetricsAPI.GetSubnetMetric(ctx, w[0], w[1]).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Results), reply.NextPageToken
		}
	case "compositeQuery":
		body := composite([]byte(w[0]))
		return func(token string) (int, *string) {
			reply, _, err := c.MetricsAPI.CompositeQuery(ctx).CompositeQueryRequest(body).PageSize(size).PageToken(token).Execute()
			must(err)
			return len(reply.Addresses), reply.NextPageToken
		}
	}
	panic(operation)
}
