//! Does each line of work by the client that openapi-generator makes, and prints how many rows it read.

use api::apis::configuration::Configuration;
use api::apis::{
    evm_chains_api as evm, health_api as health, interchain_messages_api as icm, metrics_api as metrics, nfts_api as nfts,
    primary_network_api as primary,
};
use api::models::{AddressesRequest, CompositeQueryRequest, SubQuery};
use serde_json::{from_str, from_value, Value};

/// Asks for pages until there is no token, and counts their rows.
macro_rules! walk {
    ($rows:ident, $token:ident => $call:expr) => {{
        let mut count = 0;
        let mut next: Option<String> = None;
        loop {
            let $token = next.as_deref();
            let page = $call.await.unwrap();
            count += page.$rows.len();
            next = page.next_page_token;
            if next.is_none() {
                break count;
            }
        }
    }};
}

/// For a reply that is an object.
macro_rules! one {
    ($call:expr) => {{
        drop($call.await.unwrap());
        1
    }};
}

/// The generated type cannot be read from JSON: serde takes out the member that it decides by, and then misses it.
fn sub_query(given: &Value) -> SubQuery {
    match given["type"].as_str() {
        Some("AllTimeNativeBalance") => SubQuery::AllTimeNativeBalance(from_value(given.clone()).unwrap()),
        Some("AnyTimeNftHolders") => SubQuery::AnyTimeNftHolders(from_value(given.clone()).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn composite(given: &Value) -> CompositeQueryRequest {
    let queries = given["queries"].as_array().unwrap().iter().map(sub_query).collect();
    CompositeQueryRequest::new(from_value(given["operator"].clone()).unwrap(), queries)
}

fn of_owners(given: &Value) -> AddressesRequest {
    from_value(given.clone()).unwrap()
}

async fn run(c: &Configuration, task: &Value) -> usize {
    let w: Vec<&str> = task["path"].as_array().unwrap().iter().map(|pair| pair[1].as_str().unwrap()).collect();
    let (query, body) = (&task["query"], &task["body"]);
    let (owner, height) = (query["addresses"].as_str(), query["vertexHeight"].as_i64());
    let size = task["pageSize"].as_i64().map(|size| size as i32);
    let all = Some(true);
    match task["operation"].as_str().unwrap() {
        "listUtxos" => walk!(utxos, token => primary::list_utxos(
            c, w[0], w[1], None, token, size, None, None, all, None, None)),
        "listUtxosOfAddresses" => walk!(utxos, token => primary::list_utxos_of_addresses(
            c, w[0], w[1], of_owners(body), token, size, None, None, all, None, None)),
        "getBalances" => one!(primary::get_balances(c, w[0], w[1], owner.unwrap())),
        "listChainIds" => one!(primary::list_chain_ids(c, w[0], owner.unwrap())),
        "getLastActivity" => one!(primary::get_last_activity(c, w[0], w[1], owner.unwrap())),
        "getLastActivityOfAddresses" => one!(primary::get_last_activity_of_addresses(c, w[0], w[1], of_owners(body))),
        "listHistoricalRewards" => walk!(historical_rewards, token => primary::list_historical_rewards(
            c, w[0], owner, None, None, token, size)),
        "listPendingRewards" => walk!(pending_rewards, token => primary::list_pending_rewards(
            c, w[0], owner, None, None, token, size)),
        "listTransactions" => walk!(transactions, token => primary::list_transactions(
            c, w[0], w[1], owner, None, None, None, None, token, size, None)),
        "listStakingTransactions" => walk!(transactions, token => primary::list_staking_transactions(
            c, w[0], w[1], owner, None, None, None, token, size, None)),
        "listAssetTransactions" => walk!(transactions, token => primary::list_asset_transactions(
            c, w[0], w[1], w[2], None, None, None, token, size)),
        "getTransaction" => one!(primary::get_transaction(c, w[0], w[1], w[2])),
        "getAsset" => one!(primary::get_asset(c, w[0], w[1], w[2])),
        "listBlocks" => walk!(blocks, token => primary::list_blocks(c, w[0], w[1], None, None, token, size)),
        "listBlocksOfNode" => walk!(blocks, token => primary::list_blocks_of_node(
            c, w[0], w[1], w[2], None, None, token, size)),
        "getBlock" => one!(primary::get_block(c, w[0], w[1], w[2])),
        "listVertices" => walk!(vertices, token => primary::list_vertices(c, w[0], w[1], token, size)),
        "listVerticesByHeight" => walk!(vertices, token => primary::list_vertices_by_height(
            c, w[0], w[1], height.unwrap(), token, size, None)),
        "getVertex" => one!(primary::get_vertex(c, w[0], w[1], w[2])),
        "getNetworkDetails" => one!(primary::get_network_details(c, w[0])),
        "listSubnets" => walk!(subnets, token => primary::list_subnets(c, w[0], token, size, None)),
        "getSubnet" => one!(primary::get_subnet(c, w[0], w[1])),
        "listBlockchains" => walk!(blockchains, token => primary::list_blockchains(c, w[0], token, size, None)),
        "getBlockchain" => one!(primary::get_blockchain(c, w[0], w[1])),
        "listValidators" => walk!(validators, token => primary::list_validators(
            c, w[0], None, None, None, None, None, None, None, None, None, None, None, token, size, None, None)),
        "getValidator" => walk!(validators, token => primary::get_validator(c, w[0], w[1], None, token, size, None)),
        "listDelegators" => walk!(delegators, token => primary::list_delegators(
            c, w[0], None, None, None, None, token, size)),
        "listL1Validators" => walk!(validators, token => primary::list_l1_validators(
            c, w[0], None, all, None, None, token, size)),
        "listChains" => evm::list_chains(c, None, None).await.unwrap().chains.len(),
        "getChain" => one!(evm::get_chain(c, w[0])),
        "listAddressChains" => one!(evm::list_address_chains(c, w[0])),
        "getAddressChains" => one!(evm::get_address_chains(c, w[0])),
        "listInternalTransactions" => walk!(transactions, token => evm::list_internal_transactions(
            c, w[0], w[1], None, None, token, size)),
        "getNativeBalance" => one!(evm::get_native_balance(c, w[0], w[1])),
        "listErc20Balances" => walk!(erc20_token_balances, token => evm::list_erc20_balances(
            c, w[0], w[1], None, token, size)),
        "listErc721Balances" => walk!(erc721_token_balances, token => nfts::list_erc721_balances(
            c, w[0], w[1], None, token, size)),
        "listNftTokens" => walk!(tokens, token => nfts::list_nft_tokens(c, w[0], w[1], token, size)),
        "getNftToken" => one!(nfts::get_nft_token(c, w[0], w[1], w[2])),
        "reindexNft" => one!(nfts::reindex_nft(c, w[0], w[1], w[2])),
        "listIcmMessages" => walk!(messages, token => icm::list_icm_messages(
            c, token, size, None, None, None, None, None, None, None, None, None, None)),
        "listIcmMessagesOfAddress" => walk!(messages, token => icm::list_icm_messages_of_address(
            c, w[0], token, size, None)),
        "getIcmMessage" => one!(icm::get_icm_message(c, w[0])),
        "listTeleporterMessages" => walk!(messages, token => icm::list_teleporter_messages(
            c, token, size, None, None, None, None, None, None, None, None, None, None)),
        "listTeleporterMessagesOfAddress" => walk!(messages, token => icm::list_teleporter_messages_of_address(
            c, w[0], token, size, None)),
        "getTeleporterMessage" => one!(icm::get_teleporter_message(c, w[0])),
        "getSubnetMetric" => walk!(results, token => metrics::get_subnet_metric(
            c, w[0], w[1], None, None, token, size)),
        "getL1Metric" => walk!(results, token => metrics::get_l1_metric(c, w[0], None, None, token, size)),
        "getNodeMetric" => walk!(results, token => metrics::get_node_metric(
            c, w[0], w[1], None, None, token, size)),
        "getValidationMetric" => walk!(results, token => metrics::get_validation_metric(
            c, w[0], w[1], None, None, token, size)),
        "getNetworkMetric" => walk!(results, token => metrics::get_network_metric(
            c, w[0], w[1], None, None, None, token, size)),
        "compositeQuery" => walk!(addresses, token => metrics::composite_query(c, composite(body), token, size)),
        "v1HealthCheck" => one!(health::v1_health_check(c)),
        "v1LiveCheck" => one!(health::v1_live_check(c)),
        "v2HealthCheck" => one!(health::v2_health_check(c)),
        "v2LiveCheck" => one!(health::v2_live_check(c)),
        other => panic!("{other}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let base_path = std::env::args().nth(1).unwrap();
    let configuration = Configuration { base_path, ..Default::default() };
    for line in std::io::stdin().lines() {
        println!("{}", run(&configuration, &from_str(&line.unwrap()).unwrap()).await);
    }
}
