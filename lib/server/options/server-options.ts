import { checkFeatureGates } from '#lib/machinery/config/feature-gates.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ServiceAccountKeys } from '#lib/server/authentication/service-account/identity.ts';
import type { AuthorizerOptions } from '#lib/server/authorization/chain.ts';
import { admissionOf, type ReadAdmission } from './admission.ts';
import { AUDIT_DEFAULTS, type AuditOptions, auditOf } from './audit.ts';
import { AUTHENTICATION_DEFAULTS, authenticationOf, type ReadAuthentication } from './authentication.ts';
import { authorizersOf } from './authorization.ts';
import { DEPLOYED_FLAGS, type DeployedFlags } from './deployed-flags.ts';
import type { Files } from './files.ts';
import { FLOW_CONTROL_DEFAULTS, flowControlOf, type ReadFlowControl } from './flow-control.ts';
import { serviceAccountsOf } from './service-account.ts';

/** The options of a server in an AWS account, from its flags. */
export interface ServerOptions extends ReadAuthentication, ReadAdmission {
  readonly serviceAccounts: Partial<ServiceAccountKeys>;
  readonly authorizers?: readonly AuthorizerOptions[];
  readonly audit?: AuditOptions;
  /** Absent if no flag sets it. The default of the HTTP front end is the number of requests that share a process. */
  readonly flowControl?: ReadFlowControl['flowControl'];
  /** Warnings about the flags. */
  readonly warnings: readonly string[];
}

const NO_LISTS = {
  apiAudiences: [],
  disableAdmissionPlugins: [],
  enableAdmissionPlugins: [],
  serviceAccountIssuer: [],
} as const;

const authentication = (flags: DeployedFlags, files: Files) =>
  authenticationOf({ ...AUTHENTICATION_DEFAULTS, ...defined(flags) }, files);

const serviceAccounts = (flags: DeployedFlags, files: Files) =>
  serviceAccountsOf({ ...NO_LISTS, serviceAccountKeyFile: [], ...defined(flags) }, files);

const authorization = (flags: DeployedFlags, files: Files) =>
  defined({ authorizers: authorizersOf(defined(flags), files) });

const admission = (flags: DeployedFlags, files: Files) => admissionOf({ ...NO_LISTS, ...defined(flags) }, files);

/** The audit options. Without a configured sink, events go to the log group, whose lines have a size limit. */
function audit(flags: DeployedFlags, files: Files) {
  const sink = flags.auditWebhookConfigFile === undefined ? { auditLogPath: '-', auditLogTruncateEnabled: 'true' } : {};
  return auditOf({ ...AUDIT_DEFAULTS, ...sink, ...defined(flags) }, files);
}

const featureGates = ({ featureGates: gates = [] }: DeployedFlags) => ({
  warnings: checkFeatureGates(gates.join(',')),
});

function flowControl(flags: DeployedFlags): Partial<ReadFlowControl> {
  const given = Object.keys(DEPLOYED_FLAGS.flowControl).some((name) => Object.hasOwn(flags, name));
  return given ? flowControlOf({ ...FLOW_CONTROL_DEFAULTS, ...defined(flags) }) : {};
}

/** Reads the flags of one subject. Each throws OptionError, or TypeError for invalid text. */
export const READERS = {
  authentication,
  serviceAccounts,
  authorization,
  admission,
  audit,
  featureGates,
  flowControl,
} as const satisfies Readonly<
  Record<keyof typeof DEPLOYED_FLAGS, (flags: DeployedFlags, files: Files) => Partial<ServerOptions>>
>;

/** Reads all flags with the same code as the local server. Throws like READERS. */
export const serverOptions = (flags: DeployedFlags, files: Files): ServerOptions => ({
  ...authentication(flags, files),
  ...serviceAccounts(flags, files),
  ...authorization(flags, files),
  ...admission(flags, files),
  ...audit(flags, files),
  ...featureGates(flags),
  ...flowControl(flags),
});
