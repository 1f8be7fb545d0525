import java.util.List;
import java.util.Scanner;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.CompositeQueryRequest;

/** Does each line of work by the client that openapi-generator makes, and prints how many rows it read. */
public class Main {
  record Page(List<?> rows, String token) {}

  interface Pages {
    Page after(String token) throws Exception;
  }

  /** Asks for pages until there is no token, and counts their rows. */
  static int walk(Pages pages) throws Exception {
    Page page = pages.after(null);
    int rows = page.rows().size();
    while (page.token() != null) {
      page = pages.after(page.token());
      rows += page.rows().size();
    }
    return rows;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) System.out.println(run(client, lines.nextLine().split(" ")));
    System.exit(0);
  }

  static int run(ApiClient client, String[] w) throws Exception {
    switch (w[0]) {
      case "listChains":
        return new EvmChainsApi(client).listChains(null, null).getChains().size();
      case "getTransaction":
        new PrimaryNetworkApi(client).getTransaction(w[1], w[2], w[3]);
        return 1;
      case "getIcmMessage":
        new InterchainMessagesApi(client).getIcmMessage(w[1]);
        return 1;
      case "getChain":
        new EvmChainsApi(client).getChain(w[1]);
        return 1;
      case "reindexNft":
        new NftsApi(client).reindexNft(w[1], w[2], w[3]);
        return 1;
      case "v1HealthCheck":
        new HealthApi(client).v1HealthCheck();
        return 1;
      case "v1LiveCheck":
        new HealthApi(client).v1LiveCheck();
        return 1;
      case "v2HealthCheck":
        new HealthApi(client).v2HealthCheck();
        return 1;
      case "v2LiveCheck":
        new HealthApi(client).v2LiveCheck();
        return 1;
      default:
        return walk(pages(client, w, Integer.parseInt(w[1])));
    }
  }

  static Pages pages(ApiClient client, String[] w, int size) throws Exception {
    PrimaryNetworkApi primary = new PrimaryNetworkApi(client);
    MetricsApi metrics = new MetricsApi(client);
    switch (w[0]) {
      case "listUtxos":
        return token -> {
          var page = primary.listUtxos(w[2], w[3], null, token, size, null, null, true, null, null);
          return new Page(page.getUtxos(), page.getNextPageToken());
        };
      case "listVertices":
        return token -> {
          var page = primary.listVertices(w[2], w[3], token, size);
          return new Page(page.getVertices(), page.getNextPageToken());
        };
      case "listIcmMessages":
        return token -> {
          var page = new InterchainMessagesApi(client)
              .listIcmMessages(token, size, null, null, null, null, null, null, null, null, null, null);
          return new Page(page.getMessages(), page.getNextPageToken());
        };
      case "listInternalTransactions":
        return token -> {
          var page = new EvmChainsApi(client).listInternalTransactions(w[2], w[3], null, null, token, size);
          return new Page(page.getTransactions(), page.getNextPageToken());
        };
      case "getSubnetMetric":
        return token -> {
          var page = metrics.getSubnetMetric(w[2], w[3], null, null, token, size);
          return new Page(page.getResults(), page.getNextPageToken());
        };
      case "compositeQuery":
        var body = CompositeQueryRequest.fromJson(w[2]);
        return token -> {
          var page = metrics.compositeQuery(body, token, size);
          return new Page(page.getAddresses(), page.getNextPageToken());
        };
      default:
        throw new IllegalArgumentException(w[0]);
    }
  }
}
