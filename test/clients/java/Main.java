import java.util.List;
import java.util.Scanner;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;

/** Reads every list to its end, and every single thing, by the client that openapi-generator makes. */
public class Main {
  record Page(List<?> rows, String token) {}

  interface Pages {
    Page after(String token) throws ApiException;
  }

  /** Asks for pages until there is no token, and counts their rows. */
  static int walk(Pages pages) throws ApiException {
    Page page = pages.after(null);
    int rows = page.rows().size();
    while (page.token() != null) {
      page = pages.after(page.token());
      rows += page.rows().size();
    }
    return rows;
  }

  public static void main(String[] args) throws ApiException {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) System.out.println(run(client, lines.nextLine().split(" ")));
    System.exit(0);
  }

  static int run(ApiClient client, String[] w) throws ApiException {
    PrimaryNetworkApi primary = new PrimaryNetworkApi(client);
    EvmChainsApi evm = new EvmChainsApi(client);
    InterchainMessagesApi icm = new InterchainMessagesApi(client);
    switch (w[0]) {
      case "utxos":
        return walk(token -> {
          var page = primary.listUtxos(w[1], w[2], null, token, 100, null, null, true, null, null);
          return new Page(page.getUtxos(), page.getNextPageToken());
        });
      case "vertices":
        return walk(token -> {
          var page = primary.listVertices(w[1], w[2], token, 10);
          return new Page(page.getVertices(), page.getNextPageToken());
        });
      case "messages":
        return walk(token -> {
          var page = icm.listIcmMessages(token, 100, null, null, null, null, null, null, null, null, null, null);
          return new Page(page.getMessages(), page.getNextPageToken());
        });
      case "internals":
        return walk(token -> {
          var page = evm.listInternalTransactions(w[1], w[2], null, null, token, 10);
          return new Page(page.getTransactions(), page.getNextPageToken());
        });
      case "metric":
        return walk(token -> {
          var page = new MetricsApi(client).getSubnetMetric(w[1], w[2], null, null, token, 10);
          return new Page(page.getResults(), page.getNextPageToken());
        });
      case "chains":
        return evm.listChains(null, null).getChains().size();
      case "transaction":
        primary.getTransaction(w[1], w[2], w[3]);
        return 1;
      case "message":
        icm.getIcmMessage(w[1]);
        return 1;
      case "chain":
        evm.getChain(w[1]);
        return 1;
      default:
        HealthApi health = new HealthApi(client);
        return List.of(
            health.v1HealthCheck(), health.v1LiveCheck(), health.v2HealthCheck(), health.v2LiveCheck()).size();
    }
  }
}
