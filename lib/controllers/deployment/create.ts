import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { at, integer } from '#lib/machinery/unstructured.ts';
import { minReadySecondsOf } from '../replicaset/decide.ts';
import type { EventText } from '../workload/record-event.ts';
import { templateHash } from '../workload/template-hash.ts';
import { annotated, annotationsFor, REVISION, sizeAnnotations } from './revisions.ts';
import { newSize } from './sizes.ts';
import { deadlineOf, progressing } from './status.ts';
import { conditioned, type Observed, type Step, type View } from './steps.ts';
import { plusLabel, sameTemplate, templateOf } from './template.ts';

const collisionsOf = (deployment: JsonObject): number | undefined => {
  const held = integer(objectAt(deployment, 'status'), 'collisionCount');
  return held === undefined ? undefined : Number(held);
};

export function createCurrent(view: View): readonly Step[] {
  const { deployment, sets, current, next } = view;
  if (current !== undefined) return [];
  const set = newSet(deployment, next);
  const replicas = newSize(deployment, sets, 0);
  const message = `Scaled up replica set ${nameOf(set)} from 0 to ${replicas}`;
  const event: EventText = { type: 'Normal', reason: 'ScalingReplicaSet', message };
  const sized = { ...set, spec: { ...objectAt(set, 'spec'), replicas } };
  return [{ do: 'create', set: sized, ...(replicas > 0 ? { event } : {}) }];
}

/** The set of the deployment's template. Its name follows from that, so that a second try finds the first's. */
function newSet(deployment: JsonObject, next: bigint): JsonObject {
  const template = templateOf(deployment);
  const hash = templateHash(template, collisionsOf(deployment));
  const metadata = plusLabel(objectAt(template, 'metadata'), hash);
  const selector = at(deployment, 'spec', 'selector') ?? {};
  const matchLabels = plusLabel({ labels: objectAt(selector, 'matchLabels') ?? {} }, hash)['labels'] ?? {};
  const minReadySeconds = minReadySecondsOf(deployment);
  const set: JsonObject = {
    metadata: {
      name: `${nameOf(deployment).slice(0, 252 - hash.length)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels: metadata['labels'] ?? {},
    },
    spec: {
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels },
      template: { ...template, metadata },
    },
  };
  return annotated(set, { ...annotationsFor(deployment, set, next), ...sizeAnnotations(deployment) });
}

/** The condition that a deployment has when its set was created, with its number. */
export function afterCreation(observed: Observed, set: JsonObject): JsonObject | undefined {
  const { deployment } = observed;
  const revision = annotationsOf(set)[REVISION] ?? '';
  if (deadlineOf(deployment) === undefined) return undefined;
  const condition = progressing('True', 'NewReplicaSetCreated', `Created new replica set "${nameOf(set)}"`);
  return conditioned(observed, condition, revision);
}

/** What the deployment tells when its set could not be created; undefined where nobody waits for it. */
export function afterRefusal(observed: Observed, message: string): JsonObject | undefined {
  const { deployment } = observed;
  if (deadlineOf(deployment) === undefined) return undefined;
  return conditioned(observed, progressing('False', 'ReplicaSetCreateError', message));
}

/** The set's name is taken: by the set itself, or by another, so that the next name is to be tried. */
export function afterCollision(deployment: JsonObject, taken: JsonObject): JsonObject | undefined {
  if (controllerOf(taken)?.uid === uidOf(deployment) && sameTemplate(taken, deployment)) return undefined;
  const collisionCount = (collisionsOf(deployment) ?? 0) + 1;
  return { ...deployment, status: { ...objectAt(deployment, 'status'), collisionCount } };
}
