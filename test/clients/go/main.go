// Does each line of work by the client that openapi-generator makes, and prints how many rows it read.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	api "example.com/client/api"
)

// task is a line of work.
type task struct {
	Operation string
	Path      [][2]string
	Query     struct {
		Addresses    string
		VertexHeight int64
	}
	Body     json.RawMessage
	PageSize int32
}

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
		var asked task
		must(json.Unmarshal(lines.Bytes(), &asked))
		fmt.Println(do(context.Background(), client, asked))
	}
}

// page is a reply that may have a next one.
type page interface{ GetNextPageToken() string }

// list is how each list is asked for pages.
type list[R any, P page] interface {
	PageSize(int32) R
	PageToken(string) R
	Execute() (P, *http.Response, error)
}

// walk asks for pages until there is no token, and counts their rows.
func walk[R list[R, P], P page, Row any](asked R, size int32, rows func(P) []Row) int {
	asked = asked.PageSize(size)
	for count := 0; ; {
		reply, _, err := asked.Execute()
		must(err)
		count += len(rows(reply))
		token := reply.GetNextPageToken()
		if token == "" {
			return count
		}
		asked = asked.PageToken(token)
	}
}

// one is for a reply that is an object.
func one(_ any, _ *http.Response, err error) int {
	must(err)
	return 1
}

func do(ctx context.Context, c *api.APIClient, t task) int {
	primary, evm, icm, nfts := c.PrimaryNetworkAPI, c.EVMChainsAPI, c.InterchainMessagesAPI, c.NFTsAPI
	w, q, size := []string{"", "", ""}, t.Query, t.PageSize
	for index, pair := range t.Path {
		w[index] = pair[1]
	}
	switch t.Operation {
	case "listUtxos":
		return walk(primary.ListUtxos(ctx, w[0], w[1]).IncludeSpent(true), size, (*api.UtxoPage).GetUtxos)
	case "listUtxosOfAddresses":
		asked := primary.ListUtxosOfAddresses(ctx, w[0], w[1]).AddressesRequest(addresses(t.Body)).IncludeSpent(true)
		return walk(asked, size, (*api.UtxoPage).GetUtxos)
	case "getBalances":
		return one(primary.GetBalances(ctx, w[0], w[1]).Addresses(q.Addresses).Execute())
	case "listChainIds":
		return one(primary.ListChainIds(ctx, w[0]).Addresses(q.Addresses).Execute())
	case "getLastActivity":
		return one(primary.GetLastActivity(ctx, w[0], w[1]).Addresses(q.Addresses).Execute())
	case "getLastActivityOfAddresses":
		return one(primary.GetLastActivityOfAddresses(ctx, w[0], w[1]).AddressesRequest(addresses(t.Body)).Execute())
	case "listHistoricalRewards":
		asked := primary.ListHistoricalRewards(ctx, w[0]).Addresses(q.Addresses)
		return walk(asked, size, (*api.HistoricalRewardPage).GetHistoricalRewards)
	case "listPendingRewards":
		asked := primary.ListPendingRewards(ctx, w[0]).Addresses(q.Addresses)
		return walk(asked, size, (*api.PendingRewardPage).GetPendingRewards)
	case "listTransactions":
		asked := primary.ListTransactions(ctx, w[0], w[1])
		if q.Addresses != "" {
			asked = asked.Addresses(q.Addresses)
		}
		return walk(asked, size, (*api.TransactionPage).GetTransactions)
	case "listStakingTransactions":
		asked := primary.ListStakingTransactions(ctx, w[0], w[1])
		if q.Addresses != "" {
			asked = asked.Addresses(q.Addresses)
		}
		return walk(asked, size, (*api.TransactionPage).GetTransactions)
	case "listAssetTransactions":
		return walk(primary.ListAssetTransactions(ctx, w[0], w[1], w[2]), size, (*api.TransactionPage).GetTransactions)
	case "getTransaction":
		return one(primary.GetTransaction(ctx, w[0], w[1], w[2]).Execute())
	case "getAsset":
		return one(primary.GetAsset(ctx, w[0], w[1], w[2]).Execute())
	case "listBlocks":
		return walk(primary.ListBlocks(ctx, w[0], w[1]), size, (*api.BlockPage).GetBlocks)
	case "listBlocksOfNode":
		return walk(primary.ListBlocksOfNode(ctx, w[0], w[1], w[2]), size, (*api.BlockPage).GetBlocks)
	case "getBlock":
		return one(primary.GetBlock(ctx, w[0], w[1], w[2]).Execute())
	case "listVertices":
		return walk(primary.ListVertices(ctx, w[0], w[1]), size, (*api.VertexPage).GetVertices)
	case "listVerticesByHeight":
		asked := primary.ListVerticesByHeight(ctx, w[0], w[1]).VertexHeight(q.VertexHeight)
		return walk(asked, size, (*api.VertexPage).GetVertices)
	case "getVertex":
		return one(primary.GetVertex(ctx, w[0], w[1], w[2]).Execute())
	case "listSubnets":
		return walk(primary.ListSubnets(ctx, w[0]), size, (*api.SubnetPage).GetSubnets)
	case "getSubnet":
		return one(primary.GetSubnet(ctx, w[0], w[1]).Execute())
	case "listBlockchains":
		return walk(primary.ListBlockchains(ctx, w[0]), size, (*api.BlockchainPage).GetBlockchains)
	case "getBlockchain":
		return one(primary.GetBlockchain(ctx, w[0], w[1]).Execute())
	case "getNetworkDetails":
		return one(primary.GetNetworkDetails(ctx, w[0]).Execute())
	case "listValidators":
		return walk(primary.ListValidators(ctx, w[0]), size, (*api.ValidatorPage).GetValidators)
	case "getValidator":
		return walk(primary.GetValidator(ctx, w[0], w[1]), size, (*api.ValidatorPage).GetValidators)
	case "listDelegators":
		return walk(primary.ListDelegators(ctx, w[0]), size, (*api.DelegatorPage).GetDelegators)
	case "listL1Validators":
		asked := primary.ListL1Validators(ctx, w[0]).IncludeInactiveL1Validators(true)
		return walk(asked, size, (*api.L1ValidatorPage).GetValidators)
	case "listChains":
		reply, _, err := evm.ListChains(ctx).Execute()
		must(err)
		return len(reply.Chains)
	case "getChain":
		return one(evm.GetChain(ctx, w[0]).Execute())
	case "listAddressChains":
		return one(evm.ListAddressChains(ctx, w[0]).Execute())
	case "getAddressChains":
		return one(evm.GetAddressChains(ctx, w[0]).Execute())
	case "listInternalTransactions":
		asked := evm.ListInternalTransactions(ctx, w[0], w[1])
		return walk(asked, size, (*api.InternalTransactionPage).GetTransactions)
	case "getNativeBalance":
		return one(evm.GetNativeBalance(ctx, w[0], w[1]).Execute())
	case "listErc20Balances":
		return walk(evm.ListErc20Balances(ctx, w[0], w[1]), size, (*api.Erc20BalancePage).GetErc20TokenBalances)
	case "listIcmMessages":
		return walk(icm.ListIcmMessages(ctx), size, (*api.IcmMessagePage).GetMessages)
	case "listIcmMessagesOfAddress":
		return walk(icm.ListIcmMessagesOfAddress(ctx, w[0]), size, (*api.IcmMessagePage).GetMessages)
	case "getIcmMessage":
		return one(icm.GetIcmMessage(ctx, w[0]).Execute())
	case "listTeleporterMessages":
		return walk(icm.ListTeleporterMessages(ctx), size, (*api.TeleporterMessagePage).GetMessages)
	case "listTeleporterMessagesOfAddress":
		return walk(icm.ListTeleporterMessagesOfAddress(ctx, w[0]), size, (*api.TeleporterMessagePage).GetMessages)
	case "getTeleporterMessage":
		return one(icm.GetTeleporterMessage(ctx, w[0]).Execute())
	case "listNftTokens":
		return walk(nfts.ListNftTokens(ctx, w[0], w[1]), size, (*api.NftTokenPage).GetTokens)
	case "getNftToken":
		return one(nfts.GetNftToken(ctx, w[0], w[1], w[2]).Execute())
	case "listErc721Balances":
		return walk(nfts.ListErc721Balances(ctx, w[0], w[1]), size, (*api.Erc721BalancePage).GetErc721TokenBalances)
	case "reindexNft":
		_, err := nfts.ReindexNft(ctx, w[0], w[1], w[2]).Execute()
		must(err)
		return 1
	case "getSubnetMetric":
		return walk(c.MetricsAPI.GetSubnetMetric(ctx, w[0], w[1]), size, (*api.MetricPage).GetResults)
	case "getL1Metric":
		return walk(c.MetricsAPI.GetL1Metric(ctx, w[0]), size, (*api.MetricPage).GetResults)
	case "getNodeMetric":
		return walk(c.MetricsAPI.GetNodeMetric(ctx, w[0], w[1]), size, (*api.MetricPage).GetResults)
	case "getValidationMetric":
		return walk(c.MetricsAPI.GetValidationMetric(ctx, w[0], w[1]), size, (*api.MetricPage).GetResults)
	case "getNetworkMetric":
		return walk(c.MetricsAPI.GetNetworkMetric(ctx, w[0], w[1]), size, (*api.MetricPage).GetResults)
	case "compositeQuery":
		asked := c.MetricsAPI.CompositeQuery(ctx).CompositeQueryRequest(composite(t.Body))
		return walk(asked, size, (*api.CompositePage).GetAddresses)
	case "v1HealthCheck":
		return one(c.HealthAPI.V1HealthCheck(ctx).Execute())
	case "v1LiveCheck":
		return one(c.HealthAPI.V1LiveCheck(ctx).Execute())
	case "v2HealthCheck":
		return one(c.HealthAPI.V2HealthCheck(ctx).Execute())
	case "v2LiveCheck":
		return one(c.HealthAPI.V2LiveCheck(ctx).Execute())
	}
	panic(t.Operation)
}

func addresses(given []byte) (body api.AddressesRequest) {
	must(json.Unmarshal(given, &body))
	return body
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
