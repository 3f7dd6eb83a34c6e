import { moduleOf } from '#lib/machinery/package-name.ts';

/** A result of the decision tree. */
export interface Leaf {
  readonly use: string;
  readonly how: string;
}

/** A question of the decision tree. */
export interface Question {
  readonly ask: string;
  /** The possible answers, each with the next question or result. */
  readonly answers: readonly (readonly [answer: string, to: Question | Leaf])[];
}

const yesNo = (ask: string, yes: Question | Leaf, no: Question | Leaf): Question => ({
  ask,
  answers: [
    ['yes', yes],
    ['no', no],
  ],
});
const leaf = (use: string, how: string): Leaf => ({ use, how });

const STAND_ALONE = leaf(
  'an API of its own',
  'beside the control plane: neither kubectl nor its store would do it any good',
);

const newTypes = yesNo(
  'Do programs in pods read it as a file or an environment variable, in a format of their own?',
  yesNo(
    'Is it secret?',
    leaf('a Secret', 'mount it, or name it in env; a rolling update follows a change'),
    leaf('a ConfigMap', 'the whole file under one key; mount it, or name it in env'),
  ),
  yesNo(
    'Do its objects declare a state to be reached, rather than call for something to be done at once?',
    yesNo(
      'Are there more than some kilobytes in an object, many thousands of objects, tens of requests a second all day, or data of end users?',
      STAND_ALONE,
      yesNo(
        'Should kubectl, client libraries and UIs show it, in API groups and namespaces?',
        yesNo(
          'Does it need a store of its own, subresources such as logs, protobuf or strategic merge patches?',
          leaf('an aggregated API', 'an APIService leads to a server or function that serves the group'),
          yesNo(
            'Should something be done when its objects change?',
            leaf(
              'a CustomResourceDefinition with a reconciler',
              'davit new crd NAME, davit new reconciler NAME: the operator pattern',
            ),
            leaf('a CustomResourceDefinition', 'davit new crd NAME: validated and defaulted by its schema'),
          ),
        ),
        STAND_ALONE,
      ),
    ),
    STAND_ALONE,
  ),
);

const rule = yesNo(
  'Is it a bound on what a namespace uses, on traffic between pods, or on what pods may do on their nodes?',
  leaf('a built-in policy', 'ResourceQuota, LimitRange, NetworkPolicy, or the labels of Pod Security'),
  yesNo(
    'Is it about images alone?',
    leaf('an image policy webhook', `defineImagePolicy of ${moduleOf('webhook')}`),
    yesNo(
      'Must objects be changed, rather than refused?',
      yesNo(
        'Can an expression in CEL say the change from the object, its namespace and parameters?',
        leaf('a MutatingAdmissionPolicy', 'with a binding; nothing is called'),
        leaf('a mutating webhook', 'davit new webhook NAME: defineMutating'),
      ),
      yesNo(
        'Can an expression in CEL judge it from the object, its namespace and parameters?',
        leaf('a ValidatingAdmissionPolicy', 'with a binding; nothing is called'),
        leaf('a validating webhook', `defineValidating of ${moduleOf('webhook')}`),
      ),
    ),
  ),
);

const identity = yesNo(
  'Does a proxy in front know already who asks?',
  leaf('an authenticating proxy', '--requestheader-client-ca-file and its headers'),
  yesNo(
    'Do users come with ID tokens of an OpenID issuer?',
    leaf('an AuthenticationConfiguration', '--authentication-config: issuers, rules and mappings in CEL'),
    leaf('a token review webhook', `defineTokenReview of ${moduleOf('webhook')}`),
  ),
);

const rights = yesNo(
  'Can it be said by verbs on resources and names, for users and groups?',
  leaf('RBAC', 'Roles and ClusterRoles with their bindings'),
  leaf('an authorization webhook', `defineSubjectAccessReview of ${moduleOf('webhook')}`),
);

const nodes: Question = {
  ask: 'What should nodes be able to do?',
  answers: [
    ['offer hardware to pods', leaf('a device plugin', 'registers at the socket of the node agent')],
    [
      'connect pods differently',
      leaf('a network plugin', 'CNI: a configuration in /etc/cni/net.d, a binary in /opt/cni/bin'),
    ],
    ['mount other storage', leaf('a CSI driver', 'in place of FlexVolume, which is deprecated')],
    ['pull from other registries', leaf('an image credential provider', 'a CredentialProviderConfig and its binary')],
  ],
};

const scheduling = yesNo(
  'Do plugins that are there decide rightly, with other weights or arguments?',
  leaf('a scheduler profile', 'a KubeSchedulerConfiguration; pods choose it by schedulerName'),
  yesNo(
    'Is it enough to leave out nodes, or rate them, by asking a service?',
    leaf('a scheduler extender', 'filter and prioritize over HTTP'),
    leaf('a scheduler of your own', 'beside the default one, by schedulerName'),
  ),
);

/** Selects an extension point in at most eight questions. It follows the tables and the flowchart in the documentation. */
export const WHICH: Question = {
  ask: 'What do you want to extend?',
  answers: [
    [
      'only the commands of my own machine',
      yesNo(
        'Is it how you log in?',
        leaf('a client-go credential plugin', 'users[].user.exec in the kubeconfig, as davit token'),
        leaf('a kubectl plugin', 'an executable kubectl-NAME on PATH'),
      ),
    ],
    ['the API by data of a new kind', newTypes],
    ['who is known', identity],
    ['who may do what', rights],
    ['what requests may hold', rule],
    [
      'what happens when built-in objects change',
      leaf('a reconciler', 'davit new reconciler NAME: a controller without a kind of its own'),
    ],
    ['which node a pod runs on', scheduling],
    ['what nodes do for pods', nodes],
    [
      'pods by services that others run',
      leaf('the service catalog', 'a ClusterServiceBroker, then ServiceInstance and ServiceBinding'),
    ],
  ],
};

/** Whether the node is a result. */
export const isLeaf = (node: Question | Leaf): node is Leaf => 'use' in node;
