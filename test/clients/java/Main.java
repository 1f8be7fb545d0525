import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.api.*;
import org.openapitools.client.model.AddressesRequest;
import org.openapitools.client.model.CompositeQueryRequest;

/** Does each line of work by the client that openapi-generator makes, and prints how many rows it read. */
public class Main {
  static final List<Class<?>> GROUPS = List.of(
      PrimaryNetworkApi.class, EvmChainsApi.class, InterchainMessagesApi.class, MetricsApi.class, NftsApi.class, HealthApi.class);

  public static void main(String[] args) throws Exception {
    // Also says how the client reads and writes JSON.
    ApiClient client = new ApiClient().setBasePath(args[0]);
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) System.out.println(run(client, JSON.getGson().fromJson(lines.nextLine(), JsonObject.class)));
    System.exit(0);
  }

  /** Asks for pages until there is no token, and counts their rows. */
  static int run(ApiClient client, JsonObject task) throws Exception {
    JsonObject values = task.getAsJsonObject("query").deepCopy();
    for (JsonElement pair : task.getAsJsonArray("path")) {
      JsonArray both = pair.getAsJsonArray();
      values.add(both.get(0).getAsString(), both.get(1));
    }
    values.add("pageSize", task.get("pageSize"));
    String field = task.has("field") ? task.get("field").getAsString() : null;
    int rows = 0;
    while (true) {
      Object reply = call(client, task, values);
      if (field == null) return 1;
      rows += ((List<?>) member(reply, field)).size();
      Object token = task.has("pageSize") ? member(reply, "nextPageToken") : null;
      if (token == null) return rows;
      values.addProperty("pageToken", (String) token);
    }
  }

  static Object member(Object reply, String name) throws Exception {
    return reply.getClass().getMethod("get" + name.substring(0, 1).toUpperCase() + name.substring(1)).invoke(reply);
  }

  /** What the method of the operation's name gives; a value that is not asked for is null. */
  static Object call(ApiClient client, JsonObject task, JsonObject values) throws Exception {
    String name = task.get("operation").getAsString();
    for (Class<?> group : GROUPS)
      for (Method method : group.getMethods())
        if (method.getName().equals(name)) {
          Object[] given = Arrays.stream(method.getParameters()).map(each -> valueOf(each, task, values)).toArray();
          return method.invoke(group.getConstructor(ApiClient.class).newInstance(client), given);
        }
    throw new IllegalArgumentException(name);
  }

  static Object valueOf(Parameter parameter, JsonObject task, JsonObject values) {
    Class<?> type = parameter.getType();
    boolean isBody = type == AddressesRequest.class || type == CompositeQueryRequest.class;
    return JSON.getGson().fromJson(isBody ? task.get("body") : values.get(parameter.getName()), type);
  }
}
