/** Tests invalid containers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { container, podFaults } from './refusals.js';

const AT = 'spec.containers[0]';

/** @param {object} fields of the only container @param {object} [spec] */
const of = (fields, spec) => podFaults({ containers: [container(fields)], ...spec });

/** @param {number} hostPort @param {object} [fields] */
const port = (hostPort, fields) => ({ containerPort: 80, hostPort, ...fields });

test('a port of the host is taken once, by all containers that run together', () => {
  const twice = 'Duplicate value: "TCP//80"';
  assert.deepEqual(of({ ports: [port(80), port(80)] }), [`${AT}.ports[1].hostPort: ${twice}`]);
  assert.deepEqual(
    podFaults({
      containers: [container({ ports: [port(80)] }), container({ name: 'd', ports: [port(80)] })],
    }),
    [`spec.containers[1].ports[0].hostPort: ${twice}`],
  );
  assert.deepEqual(of({ ports: [port(80, { hostIP: '10.0.0.1' }), port(80)] }), []);
  assert.deepEqual(of({ ports: [port(80, { protocol: 'UDP' }), port(80)] }), []);
  const init = container({ name: 'init', ports: [port(80)] });
  assert.deepEqual(of({ ports: [port(80)] }, { initContainers: [init] }), []);
  const both = container({ name: 'init', ports: [port(80), port(80)] });
  assert.deepEqual(of({}, { initContainers: [both] }), [
    `spec.initContainers[0].ports[1].hostPort: ${twice}`,
  ]);
});

test('a port on the host network is also the host port', () => {
  assert.deepEqual(of({ ports: [port(81)] }, { hostNetwork: true }), [
    `${AT}.ports[0].hostPort: Invalid value: 81: must match \`containerPort\` when ` +
      '`hostNetwork` is true',
  ]);
  assert.deepEqual(of({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }), []);
});

test('names are unique; the init container is at fault', () => {
  const init = container({ name: 'c' });
  assert.deepEqual(of({}, { initContainers: [init] }), [
    'spec.initContainers[0].name: Duplicate value: "c"',
  ]);
});

test('variables have names and one source', () => {
  const source = { fieldRef: { fieldPath: 'metadata.name' } };
  const at = `${AT}.env[0]`;
  const cases = /** @type {[object, string[]][]} */ ([
    [{ name: 'A B-c.d', value: 'x' }, []],
    [{ name: 'A', valueFrom: source }, []],
    [{ value: 'x' }, [`${at}.name: Required value`]],
    [
      { name: 'A=B' },
      [
        `${at}.name: Invalid value: "A=B": a valid environment variable name must consist only ` +
          "of printable ASCII characters other than '='",
      ],
    ],
    [
      { name: 'A', value: 'x', valueFrom: source },
      [`${at}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      { name: 'A', valueFrom: { ...source, secretKeyRef: { name: 's', key: 'k' } } },
      [`${at}.valueFrom: Invalid value: "": may not have more than one field specified at a time`],
    ],
    [
      { name: 'A', valueFrom: {} },
      [
        `${at}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, ` +
          '`resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ],
    ],
  ]);
  for (const [variable, faults] of cases) assert.deepEqual(of({ env: [variable] }), faults);
});

test('mounts and devices are of volumes that are there, at paths of their own', () => {
  const volumes = [
    { name: 'dir', emptyDir: {} },
    { name: 'disk', persistentVolumeClaim: { claimName: 'x' } },
  ];
  const mounts = (/** @type {object[]} */ ...volumeMounts) => of({ volumeMounts }, { volumes });
  const devices = (/** @type {object[]} */ ...volumeDevices) => of({ volumeDevices }, { volumes });
  const [mount, device] = [`${AT}.volumeMounts`, `${AT}.volumeDevices`];
  assert.deepEqual(mounts({ name: 'dir', mountPath: '/a' }, { name: 'dir', mountPath: '/a' }), [
    `${mount}[1].mountPath: Invalid value: "/a": must be unique`,
  ]);
  assert.deepEqual(mounts({ mountPath: '/a' }), [
    `${mount}[0].name: Required value`,
    `${mount}[0].name: Not found: ""`,
  ]);
  assert.deepEqual(mounts({ name: 'dir', mountPath: '/a', subPath: '../b', subPathExpr: '/c' }), [
    `${mount}.subPath: Invalid value: "../b": must not contain '..'`,
    `${mount}[0].subPathExpr: Invalid value: "/c": subPathExpr and subPath are mutually exclusive`,
    `${mount}.subPathExpr: Invalid value: "/c": must be a relative path`,
  ]);
  assert.deepEqual(devices({ name: 'disk', devicePath: '/dev/a' }), []);
  assert.deepEqual(devices({ name: 'dir', devicePath: '/dev/a' }), [
    `${device}[0].name: Invalid value: "dir": can only use volume source type of ` +
      'PersistentVolumeClaim or Ephemeral for block mode',
  ]);
  assert.deepEqual(devices({ name: 'none', devicePath: '/dev/../a' }), [
    `${device}[0].name: Not found: "none"`,
    `${device}[0].devicePath: Invalid value: "/dev/../a": can not contain backsteps ('..')`,
  ]);
  const at = { name: 'disk', mountPath: '/a', devicePath: '/a' };
  assert.deepEqual(of({ volumeMounts: [at], volumeDevices: [at] }, { volumes }), [
    `${mount}[0].name: Invalid value: "disk": must not already exist in volumeDevices`,
    `${mount}[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices`,
    `${device}[0].name: Invalid value: "disk": must not already exist in volumeMounts`,
    `${device}[0].devicePath: Invalid value: "/a": must not already exist as a path in ` +
      'volumeMounts',
  ]);
});

test('probes and hooks have one handler, and valid numbers', () => {
  const exec = { exec: { command: ['true'] } };
  const at = `${AT}.livenessProbe`;
  const cases = /** @type {[object, string[]][]} */ ([
    [{ livenessProbe: exec, readinessProbe: { ...exec, successThreshold: 2 } }, []],
    [{ livenessProbe: {} }, [`${at}: Required value: must specify a handler type`]],
    [{ livenessProbe: { exec: {} } }, [`${at}.exec.command: Required value`]],
    [
      { livenessProbe: { ...exec, tcpSocket: { port: 0 } } },
      [`${at}.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    [
      { livenessProbe: { httpGet: { port: 'no such-port', scheme: 'FTP' } } },
      [
        `${at}.httpGet.port: Invalid value: "no such-port": must contain only alpha-numeric ` +
          'characters (a-z, 0-9), and hyphens (-)',
        `${at}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
      ],
    ],
    [
      { livenessProbe: { ...exec, periodSeconds: -1, successThreshold: 2 } },
      [
        `${at}.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${at}.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    [
      { readinessProbe: { ...exec, terminationGracePeriodSeconds: 5 } },
      [
        `${AT}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set ` +
          'for readinessProbes',
      ],
    ],
    [
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      [
        `${AT}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than ` +
          'terminationGracePeriodSeconds (30)',
      ],
    ],
    [{ lifecycle: { preStop: { sleep: { seconds: 30 } } } }, []],
  ]);
  for (const [fields, faults] of cases) assert.deepEqual(of(fields), faults);
});

test('an init container that ends has no probes; a sidecar has', () => {
  const exec = { exec: { command: ['true'] } };
  const init = container({ name: 'init', startupProbe: exec, lifecycle: { preStop: exec } });
  const detail = 'may not be set for init containers without restartPolicy=Always';
  assert.deepEqual(of({}, { initContainers: [init] }), [
    `spec.initContainers[0].lifecycle: Forbidden: ${detail}`,
    `spec.initContainers[0].startupProbe: Forbidden: ${detail}`,
  ]);
  assert.deepEqual(of({}, { initContainers: [{ ...init, restartPolicy: 'Always' }] }), []);
});

test('unknown policies are refused', () => {
  const at = `${AT}.resizePolicy`;
  const cases = /** @type {[object, object, string[]][]} */ ([
    [
      { terminationMessagePolicy: 'Log' },
      {},
      [
        `${AT}.terminationMessagePolicy: Unsupported value: "Log": supported values: "File", ` +
          '"FallbackToLogsOnError"',
      ],
    ],
    [
      { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      { restartPolicy: 'Never' },
      [
        `${at}: Invalid value: "RestartContainer": must be 'NotRequired' when \`restartPolicy\` ` +
          "is 'Never'",
      ],
    ],
    [
      { resizePolicy: [{ resourceName: 'gpu', restartPolicy: 'NotRequired' }] },
      {},
      [`${at}: Unsupported value: "gpu": supported values: "cpu", "memory"`],
    ],
  ]);
  for (const [fields, spec, faults] of cases) assert.deepEqual(of(fields, spec), faults);
});
