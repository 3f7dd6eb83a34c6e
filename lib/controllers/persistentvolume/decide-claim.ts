import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { EventText } from '../workload/record-event.ts';
import {
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  isAnnotated,
  SELECTED_NODE,
} from '#lib/component-helpers/storage/volume/annotations.ts';
import {
  bestMatch,
  claimRefOf,
  classOf,
  isBoundTo,
  mismatch,
  saysClass,
  specOf,
} from '#lib/component-helpers/storage/volume/match.ts';
import { migratedTo } from '#lib/csi-translation/translate.ts';
import { isBuiltIn } from './provisioners.ts';

export interface ClaimView {
  readonly claim: JsonObject;
  /** All, or where the claim names one that one alone. */
  readonly volumes: readonly JsonObject[];
  /** Storage classes. */
  readonly classes: readonly JsonObject[];
}

/** What becomes of a claim. */
export type ClaimAction =
  | { readonly action: 'bind'; readonly volume: JsonObject }
  /** Its phase; a claim that is lost is told of when it becomes so, one that waits each time. */
  | { readonly action: 'phase'; readonly phase: 'Pending' | 'Lost'; readonly event?: EventText }
  /** A pod decides, by where it runs. */
  | { readonly action: 'wait' }
  | { readonly action: 'class'; readonly name: string }
  | { readonly action: 'provision'; readonly provisioner: string; readonly event: EventText }
  | { readonly action: 'tell'; readonly event: EventText };

const warning = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
const lost = (reason: string, message: string): ClaimAction => ({
  action: 'phase',
  phase: 'Lost',
  event: warning(reason, message),
});

/** Upstream's syncClaim. Throws TypeError where a binding was broken by hand. */
export function decideClaim(view: ClaimView): ClaimAction {
  if (isAnnotated(view.claim, BIND_COMPLETED)) return decideBound(view);
  return text(specOf(view.claim), 'volumeName') === '' ? decideFree(view) : decideNamed(view);
}

function decideBound({ claim, volumes: [volume] }: ClaimView): ClaimAction {
  if (text(specOf(claim), 'volumeName') === '')
    return lost('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  if (volume === undefined)
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const ref = claimRefOf(volume);
  if (ref === undefined || text(ref, 'uid') === uidOf(claim)) return { action: 'bind', volume };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The user asked for one volume. */
function decideNamed({ claim, volumes: [volume] }: ClaimView): ClaimAction {
  if (volume === undefined) return { action: 'phase', phase: 'Pending' };
  const named = `volume "${nameOf(volume)}"`;
  if (claimRefOf(volume) === undefined) {
    const why = mismatch(volume, claim);
    if (why === undefined) return { action: 'bind', volume };
    return pending(warning('VolumeMismatch', `Cannot bind to requested ${named}: ${why}`));
  }
  if (isBoundTo(volume, claim)) return { action: 'bind', volume };
  if (isAnnotated(claim, BOUND_BY_CONTROLLER)) throw new TypeError(`${named} is claimed by another than the claim`);
  return pending(warning('FailedBinding', `${named} already bound to a different claim.`));
}

const pending = (event: EventText): ClaimAction => ({ action: 'phase', phase: 'Pending', event });

/** Any volume will do that suits. */
function decideFree({ claim, volumes, classes }: ClaimView): ClaimAction {
  const named = classes.find((one) => nameOf(one) === classOf(claim));
  const isDelayed = text(named, 'volumeBindingMode') === 'WaitForFirstConsumer';
  const volume = bestMatch(claim, volumes, isDelayed);
  if (volume !== undefined) return { action: 'bind', volume };
  const standard = saysClass(claim) ? undefined : defaultClass(classes);
  if (standard !== undefined) return { action: 'class', name: nameOf(standard) };
  if (isDelayed && !isAnnotated(claim, SELECTED_NODE)) return { action: 'wait' };
  if (classOf(claim) !== '') return provision(classOf(claim), named);
  const message = 'no persistent volumes available for this claim and no storage class is set';
  return pending({ type: 'Normal', reason: 'FailedBinding', message });
}

function provision(name: string, found: JsonObject | undefined): ClaimAction {
  const failed = (message: string): ClaimAction => ({ action: 'tell', event: warning('ProvisioningFailed', message) });
  if (found === undefined) return failed(`storageclass.storage.k8s.io "${name}" not found`);
  const plugin = text(found, 'provisioner');
  if (isBuiltIn(plugin)) return failed(`no volume plugin matched name: ${plugin}`);
  const provisioner = migratedTo(plugin) ?? plugin;
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system ` +
    'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  return { action: 'provision', provisioner, event: { type: 'Normal', reason: 'ExternalProvisioning', message } };
}

const DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** The youngest of those that are marked, by name where they are as young. */
function defaultClass(classes: readonly JsonObject[]): JsonObject | undefined {
  const marked = classes.filter((one) => DEFAULT.some((mark) => annotationsOf(one)[mark] === 'true'));
  const born = (one: JsonObject): number => creationTimeOf(one)?.getTime() ?? 0;
  return marked.sort((a, b) => born(b) - born(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** What is told of a claim that a pod's node decides about. */
export function waiting(pods: readonly JsonObject[]): EventText {
  const names = pods.filter((pod) => text(specOf(pod), 'nodeName') === '' && !hasEnded(pod)).map(nameOf);
  const told = (reason: string, message: string): EventText => ({ type: 'Normal', reason, message });
  if (names.length === 0)
    return told('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  return told(
    'WaitForPodScheduled',
    `waiting for pod${names.length > 1 ? 's' : ''} ${names.join(',')} to be scheduled`,
  );
}

const hasEnded = (pod: JsonObject): boolean => ['Succeeded', 'Failed'].includes(text(objectAt(pod, 'status'), 'phase'));
