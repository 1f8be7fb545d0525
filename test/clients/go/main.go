// Reads every list to its end, and every single thing, by the client that openapi-generator makes.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
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
	ctx := context.Background()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(do(ctx, client, strings.Fields(lines.Text())))
	}
}

// walk asks for pages until there is no token, and counts their rows.
func walk(page func(token string) (int, *string)) int {
	rows, token := page("")
	for token != nil {
		var more int
		more, token = page(*token)
		rows += more
	}
	return rows
}

func do(ctx context.Context, client *api.APIClient, w []string) int {
	switch w[0] {
	case "utxos":
		return walk(func(token string) (int, *string) {
			reply, _, err := client.PrimaryNetworkAPI.ListUtxos(ctx, w[1], w[2]).IncludeSpent(true).PageSize(100).PageToken(token).Execute()
			must(err)
			return len(reply.Utxos), reply.NextPageToken
		})
	case "vertices":
		return walk(func(token string) (int, *string) {
			reply, _, err := client.PrimaryNetworkAPI.ListVertices(ctx, w[1], w[2]).PageSize(10).PageToken(token).Execute()
			must(err)
			return len(reply.Vertices), reply.NextPageToken
		})
	case "messages":
		return walk(func(token string) (int, *string) {
			reply, _, err := client.InterchainMessagesAPI.ListIcmMessages(ctx).PageSize(50).PageToken(token).Execute()
			must(err)
			return len(reply.Messages), reply.NextPageToken
		})
	case "internals":
		return walk(func(token string) (int, *string) {
			reply, _, err := client.EVMChainsAPI.ListInternalTransactions(ctx, w[1], w[2]).PageSize(10).PageToken(token).Execute()
			must(err)
			return len(reply.Transactions), reply.NextPageToken
		})
	case "metric":
		return walk(func(token string) (int, *string) {
			reply, _, err := client.MetricsAPI.GetSubnetMetric(ctx, w[1], w[2]).PageSize(10).PageToken(token).Execute()
			must(err)
			return len(reply.Results), reply.NextPageToken
		})
	case "chains":
		reply, _, err := client.EVMChainsAPI.ListChains(ctx).Execute()
		must(err)
		return len(reply.Chains)
	case "transaction":
		_, _, err := client.PrimaryNetworkAPI.GetTransaction(ctx, w[1], w[2], w[3]).Execute()
		must(err)
		return 1
	case "message":
		_, _, err := client.InterchainMessagesAPI.GetIcmMessage(ctx, w[1]).Execute()
		must(err)
		return 1
	case "chain":
		_, _, err := client.EVMChainsAPI.GetChain(ctx, w[1]).Execute()
		must(err)
		return 1
	}
	health := client.HealthAPI
	for _, check := range []func() error{
		func() error { _, _, err := health.V1HealthCheck(ctx).Execute(); return err },
		func() error { _, _, err := health.V1LiveCheck(ctx).Execute(); return err },
		func() error { _, _, err := health.V2HealthCheck(ctx).Execute(); return err },
		func() error { _, _, err := health.V2LiveCheck(ctx).Execute(); return err },
	} {
		must(check())
	}
	return 4
}
