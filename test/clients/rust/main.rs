//! Does each line of work by the client that openapi-generator makes, and prints how many rows it read.

use api::apis::configuration::Configuration;
use api::apis::{evm_chains_api, health_api, interchain_messages_api, metrics_api, nfts_api, primary_network_api};
use api::models::{CompositeQueryRequest, SubQuery};
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

/// The generated type cannot be read from JSON: serde takes out the member that it decides by, and then misses it.
fn sub_query(given: &Value) -> SubQuery {
    match given["type"].as_str() {
        Some("AllTimeNativeBalance") => SubQuery::AllTimeNativeBalance(from_value(given.clone()).unwrap()),
        Some("AnyTimeNftHolders") => SubQuery::AnyTimeNftHolders(from_value(given.clone()).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn body(given: &Value) -> CompositeQueryRequest {
    let queries = given["queries"].as_array().unwrap().iter().map(sub_query).collect();
    CompositeQueryRequest::new(from_value(given["operator"].clone()).unwrap(), queries)
}

async fn walked(c: &Configuration, operation: &str, size: i32, w: &[&str]) -> usize {
    let size = Some(size);
    match operation {
        "listUtxos" => walk!(utxos, token => primary_network_api::list_utxos(
            c, w[0], w[1], None, token, size, None, None, Some(true), None, None)),
        "listVertices" => walk!(vertices, token => primary_network_api::list_vertices(c, w[0], w[1], token, size)),
        "listIcmMessages" => walk!(messages, token => interchain_messages_api::list_icm_messages(
            c, token, size, None, None, None, None, None, None, None, None, None, None)),
        "listInternalTransactions" => walk!(transactions, token => evm_chains_api::list_internal_transactions(
            c, w[0], w[1], None, None, token, size)),
        "getSubnetMetric" => walk!(results, token => metrics_api::get_subnet_metric(
            c, w[0], w[1], None, None, token, size)),
        "compositeQuery" => walk!(addresses, token => metrics_api::composite_query(
            c, body(&from_str(w[0]).unwrap()), token, size)),
        other => panic!("{other}"),
    }
}

async fn run(c: &Configuration, w: &[&str]) -> usize {
    match w[0] {
        "listChains" => return evm_chains_api::list_chains(c, None, None).await.unwrap().chains.len(),
        "getTransaction" => drop(primary_network_api::get_transaction(c, w[1], w[2], w[3]).await.unwrap()),
        "getIcmMessage" => drop(interchain_messages_api::get_icm_message(c, w[1]).await.unwrap()),
        "getChain" => drop(evm_chains_api::get_chain(c, w[1]).await.unwrap()),
        "reindexNft" => nfts_api::reindex_nft(c, w[1], w[2], w[3]).await.unwrap(),
        "v1HealthCheck" => drop(health_api::v1_health_check(c).await.unwrap()),
        "v1LiveCheck" => drop(health_api::v1_live_check(c).await.unwrap()),
        "v2HealthCheck" => drop(health_api::v2_health_check(c).await.unwrap()),
        "v2LiveCheck" => drop(health_api::v2_live_check(c).await.unwrap()),
        operation => return walked(c, operation, w[1].parse().unwrap(), &w[2..]).await,
    }
    1
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let base_path = std::env::args().nth(1).unwrap();
    let configuration = Configuration { base_path, ..Default::default() };
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        println!("{}", run(&configuration, &words).await);
    }
}
