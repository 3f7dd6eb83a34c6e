// A small operator on the fabric8 client: a Greeting is reconciled into a ConfigMap and its own status.
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Operator {
  private static final String FINALIZER = "operator.davit.test/finalizer";
  private static final String NAMESPACE = "default";
  private static final ResourceDefinitionContext GREETINGS =
      new ResourceDefinitionContext.Builder()
          .withGroup("operator.davit.test")
          .withVersion("v1")
          .withKind("Greeting")
          .withPlural("greetings")
          .withNamespaced(true)
          .build();
  private static final Logger LOG = LoggerFactory.getLogger(Operator.class);
  private static final long PAUSE = 200;

  private final KubernetesClient client;
  private final BlockingQueue<String> due = new LinkedBlockingQueue<>();

  private Operator(KubernetesClient client) {
    this.client = client;
  }

  public static void main(String[] args) throws InterruptedException {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      new Operator(client).run();
    }
  }

  private void run() throws InterruptedException {
    greetings().inform(each(greeting -> due.add(greeting.getMetadata().getName())));
    client.configMaps().inNamespace(NAMESPACE).inform(each(this::addOwner));
    LOG.info("Starting workers");
    while (true) {
      String name = due.take();
      try {
        reconcile(name);
      } catch (KubernetesClientException failure) {
        if (failure.getCode() != 409) LOG.warn("{} is tried again", name, failure);
        Thread.sleep(PAUSE);
        due.add(name);
      }
    }
  }

  private NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> greetings() {
    return client.genericKubernetesResources(GREETINGS).inNamespace(NAMESPACE);
  }

  private void addOwner(HasMetadata object) {
    for (OwnerReference owner : object.getMetadata().getOwnerReferences())
      if (owner.getKind().equals("Greeting")) due.add(owner.getName());
  }

  private void reconcile(String name) {
    GenericKubernetesResource greeting = greetings().withName(name).get();
    if (greeting == null) return;
    if (greeting.isMarkedForDeletion()) {
      client.configMaps().inNamespace(NAMESPACE).withName(name).delete();
      if (greeting.removeFinalizer(FINALIZER)) client.resource(greeting).update();
      return;
    }
    if (greeting.addFinalizer(FINALIZER)) greeting = client.resource(greeting).update();
    String text = greeting.get("spec", "text");
    client.resource(pageOf(greeting, text)).forceConflicts().serverSideApply();
    Map<String, Object> status =
        Map.of("said", text, "observedGeneration", greeting.getMetadata().getGeneration());
    greeting.setAdditionalProperty("status", status);
    client.resource(greeting).updateStatus();
  }

  private static ConfigMap pageOf(GenericKubernetesResource greeting, String text) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(greeting.getMetadata().getName())
        .withNamespace(NAMESPACE)
        .addNewOwnerReference()
        .withApiVersion(greeting.getApiVersion())
        .withKind(greeting.getKind())
        .withName(greeting.getMetadata().getName())
        .withUid(greeting.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .endOwnerReference()
        .endMetadata()
        .withData(Map.of("text", text))
        .build();
  }

  /** Tells of every change of a kind, whatever it was. */
  private static <T> ResourceEventHandler<T> each(Consumer<T> tell) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        tell.accept(object);
      }

      @Override
      public void onUpdate(T before, T after) {
        tell.accept(after);
      }

      @Override
      public void onDelete(T object, boolean isUnknown) {
        tell.accept(object);
      }
    };
  }
}
