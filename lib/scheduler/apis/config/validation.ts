import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { quote } from '#lib/machinery/go.ts';
import { duplicate, type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { EXTENSION_POINTS, type PluginSet } from '../../framework/runtime/extension-points.ts';
import type { ExtenderConfiguration, KubeSchedulerConfiguration, Profile } from './types.ts';

const VERSION = 'kubescheduler.config.k8s.io/v1';
/** Plugins that this version no longer has. */
const REMOVED = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];
const WAS_INVALID = `was invalid in version ${quote(VERSION)} (KubeSchedulerConfiguration is version ${quote(VERSION)})`;

/** Upstream's ValidateKubeSchedulerConfiguration, without the validation of plugin arguments. */
export function validateConfiguration(configuration: KubeSchedulerConfiguration): FieldError[] {
  const {
    parallelism,
    percentageOfNodesToScore,
    podInitialBackoffSeconds: first,
    podMaxBackoffSeconds: most,
  } = configuration;
  const profiles = FieldPath.of('profiles');
  const names = configuration.profiles.map(({ schedulerName }) => schedulerName ?? '');
  return [
    ...errorUnless(parallelism > 0, 'parallelism', parallelism, 'should be an integer value greater than zero'),
    ...configuration.profiles.flatMap((profile, i) => [
      ...profileErrors(profile, profiles.index(i)),
      ...sameNameErrors(names, i, profiles),
    ]),
    ...queueSortErrors(configuration.profiles, profiles),
    ...percentageErrors(percentageOfNodesToScore, FieldPath.of('percentageOfNodesToScore')),
    ...errorUnless(first > 0, 'podInitialBackoffSeconds', first, 'must be greater than 0'),
    ...errorUnless(
      most >= first,
      'podMaxBackoffSeconds',
      most,
      'must be greater than or equal to PodInitialBackoffSeconds',
    ),
    ...extenderErrors(configuration.extenders, FieldPath.of('extenders')),
  ];
}

const errorUnless = (holds: boolean, field: string, value: unknown, detail: string): FieldError[] =>
  holds ? [] : [invalid(FieldPath.of(field), value, detail)];

function percentageErrors(percentage: number | undefined, path: FieldPath): FieldError[] {
  if (percentage === undefined || (percentage >= 0 && percentage <= 100)) return [];
  return [invalid(path, percentage, 'not in valid range [0-100]')];
}

function sameNameErrors(names: readonly string[], i: number, path: FieldPath): FieldError[] {
  const before = names.lastIndexOf(names[i] ?? '', i - 1);
  if (i === 0 || before < 0) return [];
  return [duplicate(path.index(i).child('schedulerName'), path.index(before).child('schedulerName').toString())];
}

function profileErrors(
  { schedulerName = '', percentageOfNodesToScore, plugins, pluginConfig }: Profile,
  path: FieldPath,
): FieldError[] {
  const names = pluginConfig.map(({ name }) => name);
  const sets: Readonly<Partial<Record<string, PluginSet>>> = plugins ?? {};
  return [
    ...(schedulerName === '' ? [required(path.child('schedulerName'))] : []),
    ...percentageErrors(percentageOfNodesToScore, path.child('percentageOfNodesToScore')),
    ...Object.keys(EXTENSION_POINTS).flatMap((point) =>
      (sets[point]?.enabled ?? []).flatMap(({ name }, i) =>
        REMOVED.includes(name)
          ? [invalid(path.child('plugins').child(point).child('enabled').index(i), name, WAS_INVALID)]
          : [],
      ),
    ),
    ...names.flatMap((name, i) => [
      ...(names.indexOf(name) < i ? [duplicate(path.child('pluginConfig').index(i), name)] : []),
      ...(REMOVED.includes(name) ? [invalid(path.child('pluginConfig').index(i), name, WAS_INVALID)] : []),
    ]),
  ];
}

/** All profiles share one queue, so they need the same QueueSort plugin. */
function queueSortErrors(profiles: readonly Profile[], path: FieldPath): FieldError[] {
  const sets = profiles.map(({ plugins }) => plugins?.queueSort ?? { enabled: [], disabled: [] });
  const [first, ...others] = sets;
  const length = first?.enabled.length ?? 0;
  return [
    ...(length > 1
      ? [
          invalid(
            path.index(0).child('plugins').child('queueSort').child('Enabled'),
            length,
            'only one queue sort plugin can be enabled',
          ),
        ]
      : []),
    ...others.flatMap((set, i) =>
      JSON.stringify(set) === JSON.stringify(first)
        ? []
        : [
            invalid(
              path
                .index(i + 1)
                .child('plugins')
                .child('queueSort'),
              set,
              'must be the same for all profiles',
            ),
          ],
    ),
  ];
}

function extenderErrors(extenders: readonly ExtenderConfiguration[], path: FieldPath): FieldError[] {
  const binders = extenders.filter(({ bindVerb }) => bindVerb !== '').length;
  const seen = new Set<string>();
  const errors = extenders.flatMap((extender, i) => [
    ...(extender.prioritizeVerb !== '' && extender.weight <= 0
      ? [invalid(path.index(i).child('weight'), extender.weight, 'must have a positive weight applied to it')]
      : []),
    ...extender.managedResources.flatMap(({ name }, j) =>
      resourceErrors(name, path.index(i).child('managedResources').index(j).child('name'), seen),
    ),
  ]);
  if (binders > 1)
    errors.push(invalid(path, `found ${binders} extenders implementing bind`, 'only one extender can implement bind'));
  return errors;
}

function resourceErrors(name: string, path: FieldPath, seen: Set<string>): FieldError[] {
  const isTwice = seen.has(name);
  seen.add(name);
  return [
    ...(isExtendedResource(name) ? [] : [invalid(path, name, 'is an invalid extended resource name')]),
    ...(isTwice ? [invalid(path, name, 'duplicate extender managed resource name')] : []),
  ];
}
