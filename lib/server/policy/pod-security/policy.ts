import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';

/** The levels of the Pod Security Standards, least restrictive first. */
export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
/** A level of the Pod Security Standards. */
export type Level = (typeof LEVELS)[number];

/** `latest`, or `v1.` with a minor version. */
export type PolicyVersion = string;
/** The name of the newest version. */
export const LATEST: PolicyVersion = 'latest';

/** A level as defined in a version of Kubernetes. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** The level that a namespace requires of its pods in each mode. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

/** The modes of a policy: reject, record in the audit log, warn. */
export const MODES = ['enforce', 'audit', 'warn'] as const;
type Mode = (typeof MODES)[number];

const PREFIX = 'pod-security.kubernetes.io';
/** The label of a namespace for the level in a mode. */
export const levelLabel = (mode: Mode): string => `${PREFIX}/${mode}`;
/** The label of a namespace for the version in a mode. */
export const versionLabel = (mode: Mode): string => `${PREFIX}/${mode}-version`;

const PRIVILEGED: LevelVersion = { level: 'privileged', version: LATEST };
/** The policy if neither labels nor configuration set one: upstream's default. */
export const UNRESTRICTED: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

/** Returns `baseline:v1.30`, as messages show it. */
export const policyText = ({ level, version }: LevelVersion): string => `${level}:${version}`;

/** Whether level and version are the same. */
export const samePolicy = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.version === b.version;

/** Compares levels: negative if `a` is less strict than `b`, positive if it is stricter. */
export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b);

/** Whether no mode restricts pods. */
export const isPrivileged = (policy: Policy): boolean => MODES.every((mode) => policy[mode].level === 'privileged');

/** Upstream's error for a level that does not exist. */
export const LEVEL_FAULT = `must be one of ${LEVELS.join(', ')}`;
/** Upstream's error for an invalid version. */
export const VERSION_FAULT = 'must be "latest" or "v1.x"';

/** Whether the text names a level. */
export const isLevel = (text: string): text is Level => LEVELS.some((level) => level === text);

/** Whether the text is `latest` or `v1.N`, N an int64. */
export function isPolicyVersion(text: string): boolean {
  return text === LATEST || (/^v1\.(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text.slice(3)) <= MAX_INT64);
}

/** Returns the minor version. `latest` is above all others. */
export const minorOf = (version: PolicyVersion): number =>
  version === LATEST ? Number.POSITIVE_INFINITY : Number(version.slice(3));

/**
 * Returns the policy of a namespace with these labels, even if they are invalid. An invalid level enforces restricted, and neither audits
 * nor warns. An invalid version means the latest one. If the enforced level is stricter than the warning level, it also warns.
 */
export function policyOf(
  labels: Readonly<Record<string, string>>,
  defaults: Policy,
): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const labelled = (mode: Mode): LevelVersion => ({
    level: read(labels, levelLabel(mode), { valid: isLevel, fault: LEVEL_FAULT, errors }, (level) =>
      level === undefined ? defaults[mode].level : isLevel(level) ? level : fallback(mode),
    ),
    version: read(labels, versionLabel(mode), { valid: isPolicyVersion, fault: VERSION_FAULT, errors }, (version) =>
      version === undefined ? defaults[mode].version : isPolicyVersion(version) ? version : LATEST,
    ),
  });
  const policy = { enforce: labelled('enforce'), audit: labelled('audit'), warn: labelled('warn') };
  return { policy: warningWhatIsEnforced(policy, labels), errors };
}

const fallback = (mode: Mode): Level => (mode === 'enforce' ? 'restricted' : 'privileged');

interface Rule {
  readonly fault: string;
  readonly errors: FieldError[];
  valid(value: string): boolean;
}

function read<T>(
  labels: Readonly<Record<string, string>>,
  label: string,
  { valid, fault, errors }: Rule,
  decide: (value: string | undefined) => T,
): T {
  const value = labels[label];
  if (value !== undefined && !valid(value))
    errors.push(invalid(FieldPath.of('metadata', 'labels').key(label), value, fault));
  return decide(value);
}

function warningWhatIsEnforced(policy: Policy, labels: Readonly<Record<string, string>>): Policy {
  const { enforce, warn } = policy;
  if (labels[levelLabel('warn')] !== undefined || !isLevel(labels[levelLabel('enforce')] ?? '')) return policy;
  if (compareLevels(enforce.level, warn.level) <= 0) return policy;
  const version = labels[versionLabel('warn')] === undefined ? enforce.version : warn.version;
  return { ...policy, warn: { level: enforce.level, version } };
}
