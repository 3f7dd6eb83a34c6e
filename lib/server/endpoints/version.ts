import type { Collector } from '#lib/machinery/metrics/family.ts';
import { refuseUnknownAccept } from './negotiate.ts';
import type { Route } from './non-resource.ts';

/** The version of this package. */
export const DAVIT_VERSION = '0.1.0';
/** The Kubernetes release whose behaviour, data and texts this server reproduces. */
const KUBERNETES_VERSION = '1.36.2';

/** The gitVersion of /version. */
export const GIT_VERSION = `v${KUBERNETES_VERSION}+davit.${DAVIT_VERSION}`;

const [major, minor] = KUBERNETES_VERSION.split('.') as [string, string];

/** `apimachinery/pkg/version.Info`. */
const INFO = {
  major,
  minor,
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
  gitVersion: GIT_VERSION,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'linux/amd64',
};

/** Serves /version. */
export const versionRoute: Route = {
  path: '/version',
  handle: ({ request }) => {
    refuseUnknownAccept(request, ['application/json']);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(INFO, null, 2) };
  },
};

/** Exports the version as the metric `kubernetes_build_info`. */
export const buildInfo: Collector = {
  collect: () => {
    const { gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = INFO;
    const labels = {
      major,
      minor,
      git_version: gitVersion,
      git_commit: gitCommit,
      git_tree_state: gitTreeState,
      build_date: buildDate,
      go_version: goVersion,
      compiler,
      platform,
    };
    const help = 'What this server is, by its labels.';
    return [{ name: 'kubernetes_build_info', help, type: 'gauge', samples: [{ labels, value: 1 }] }];
  },
};
