//! Reads every list to its end, and every single thing, by the client that openapi-generator makes.

use api::apis::configuration::Configuration;
use api::apis::{evm_chains_api, health_api, interchain_messages_api, metrics_api, primary_network_api};

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

async fn run(c: &Configuration, w: &[&str]) -> usize {
    match w[0] {
        "utxos" => walk!(utxos, token => primary_network_api::list_utxos(
            c, w[1], w[2], None, token, Some(100), None, None, Some(true), None, None)),
        "vertices" => walk!(vertices, token => primary_network_api::list_vertices(c, w[1], w[2], token, Some(10))),
        "messages" => walk!(messages, token => interchain_messages_api::list_icm_messages(
            c, token, Some(100), None, None, None, None, None, None, None, None, None, None)),
        "internals" => walk!(transactions, token => evm_chains_api::list_internal_transactions(
            c, w[1], w[2], None, None, token, Some(10))),
        "metric" => walk!(results, token => metrics_api::get_subnet_metric(c, w[1], w[2], None, None, token, Some(10))),
        "chains" => evm_chains_api::list_chains(c, None, None).await.unwrap().chains.len(),
        "transaction" => {
            primary_network_api::get_transaction(c, w[1], w[2], w[3]).await.unwrap();
            1
        }
        "message" => {
            interchain_messages_api::get_icm_message(c, w[1]).await.unwrap();
            1
        }
        "chain" => {
            evm_chains_api::get_chain(c, w[1]).await.unwrap();
            1
        }
        _ => {
            health_api::v1_health_check(c).await.unwrap();
            health_api::v1_live_check(c).await.unwrap();
            health_api::v2_health_check(c).await.unwrap();
            health_api::v2_live_check(c).await.unwrap();
            4
        }
    }
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
