import { applyMergePatch } from '#lib/api/patch/merge-patch.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { checkFeatureGates } from '#lib/machinery/config/feature-gates.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import { equal, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { EFFECTS, type Effect } from './effects.ts';
import { type KubeletConfiguration, kubeletConfiguration } from './types.ts';
import { validateKubeletConfiguration } from './validation.ts';

/** The error for an invalid configuration: one line with all problems. */
export class KubeletConfigurationError extends Error {
  override readonly name = 'KubeletConfigurationError';
}

/** A configuration, and a warning for each of its settings without effect. */
export interface ReadConfiguration {
  readonly configuration: KubeletConfiguration;
  readonly warnings: readonly string[];
}

const HEADER: JsonObject = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };
const SECOND = 1000;

/**
 * Reads a KubeletConfiguration. Each document is a merge patch of the previous ones: first `--config`, then the drop-in files by name,
 * finally the flags. `serves` means that the agent listens on the node's port. Throws KubeletConfigurationError for invalid or refused
 * settings.
 */
export function readKubeletConfiguration(
  documents: readonly JsonObject[],
  { serves = false }: { readonly serves?: boolean } = {},
): ReadConfiguration {
  const merged = documents.reduce((all, document) => applyMergePatch(all, document), HEADER);
  const read = kubeletConfiguration.safeParse(merged);
  if (!read.success) throw new KubeletConfigurationError(issuesText(read.error.issues));
  const configuration = withFrequencies(read.data);
  const faults = [...validateKubeletConfiguration(configuration), ...refusals(merged)];
  if (faults.length > 0) throw new KubeletConfigurationError(aggregateText(faults));
  return { configuration, warnings: [...withoutEffect(merged, serves), ...gateWarnings(configuration)] };
}

/** Defaults that depend on another setting: the report frequency follows the update frequency if only that is set. */
function withFrequencies(configuration: KubeletConfiguration): KubeletConfiguration {
  const { nodeStatusReportFrequency: report, nodeStatusUpdateFrequency: update } = configuration;
  return {
    ...configuration,
    nodeStatusUpdateFrequency: update === 0 ? 10 * SECOND : update,
    nodeStatusReportFrequency: report !== 0 ? report : update === 0 ? 5 * 60 * SECOND : update,
  };
}

/** Whether images are pulled one at a time. That is the default unless parallel pulls are configured. */
export const serializesImagePulls = ({
  serializeImagePulls,
  maxParallelImagePulls = 1,
}: Pick<KubeletConfiguration, 'serializeImagePulls' | 'maxParallelImagePulls'>): boolean =>
  serializeImagePulls ?? maxParallelImagePulls < 2;

/** The settings in a document that differ from the default, with their effects. */
function* changedSettings(document: JsonObject): Generator<readonly [string, Effect]> {
  const defaults = kubeletConfiguration.parse(HEADER);
  for (const [name, effect] of Object.entries(EFFECTS)) {
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    if (value === undefined) continue;
    const alone = kubeletConfiguration.safeParse({ ...HEADER, [name]: value });
    if (!alone.success || !equal(asJson(alone.data, name), asJson(defaults, name))) yield [name, effect];
  }
}

const asJson = (configuration: KubeletConfiguration, name: string): Json | undefined => {
  const text = JSON.stringify(Object.entries(configuration).find(([key]) => key === name)?.[1]);
  return text === undefined ? undefined : JSON.parse(text);
};

const refusals = (document: JsonObject): string[] =>
  [...changedSettings(document)].flatMap(([name, effect]) =>
    typeof effect === 'object' && 'refused' in effect ? [`${name} is not supported: ${effect.refused}`] : [],
  );

const withoutEffect = (document: JsonObject, serves: boolean): string[] =>
  [...changedSettings(document)].flatMap(([name, effect]) => {
    if (typeof effect === 'object' && 'none' in effect) return [`${name} has no effect: ${effect.none}`];
    const isIdle = effect === 'with --serve' && !serves;
    return isIdle ? [`${name} has no effect: without --serve the agent listens on no port`] : [];
  });

/** Throws KubeletConfigurationError for a gate that is unknown or not at its default. */
function gateWarnings({ featureGates }: KubeletConfiguration): string[] {
  const gates = Object.entries(featureGates).map(([name, value]) => `${name}=${value}`);
  try {
    return checkFeatureGates(gates.join(','));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new KubeletConfigurationError(error.message, { cause: error });
  }
}
