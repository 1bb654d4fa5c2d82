import { requestsText } from '../cluster/amounts.js';
import { devicesOfPod } from '../cluster/devices.js';
import { deletePod, workloadOfPod } from './changes.js';
import { Scale } from './workload_list.jsx';

/** @import { Session } from '../session.js' */

/** The selected pod. @param {{ session: Session }} props */
export function PodSelection({ session }) {
  const { pods, workloads, devices } = session.cluster.value;
  const pod = pods.get(session.selectedPod.value?.pod ?? '');
  // While the page follows decisions, the user has selected no pod.
  if (!pod || session.isFollowing.value) return null;
  const { key, node, phase, priority, requests, workload, podGroup, message, isTerminating } = pod;
  const owner = workloadOfPod(workloads, pod);
  const own = devicesOfPod(devices, key);
  const facts = [
    isTerminating ? 'Terminating' : phase,
    node ? `on ${node}` : 'on no node',
    `priority ${priority}`,
    requestsText(requests) || 'requests nothing',
    own.length > 0 && `devices ${own.join(', ')}`,
    workload && `of ${workload}`,
  ];
  const text = facts.filter(Boolean).join(' · ');
  return (
    <div class="selection" role="group" aria-label={`Pod ${key}`}>
      <p title={message ? `${text}: ${message}` : text}>
        <b>{key}</b> {text}
        {message && <small> {message}</small>}
      </p>
      <button type="button" onClick={() => deletePod(session, key)}>
        Delete pod
      </button>
      {!node && !session.live.value && (
        <button type="button" onClick={() => session.do({ do: 'scheduleOne', pod: key })}>
          Schedule next
        </button>
      )}
      {!node && !session.live.value && (
        <button type="button" onClick={() => fix(session, key)}>
          Fix…
        </button>
      )}
      {podGroup && !session.live.value && (
        <button type="button" title={podGroup} onClick={() => lookAtGroup(session, podGroup)}>
          Pod group…
        </button>
      )}
      {owner?.isScalable && <Scale session={session} workload={owner} />}
    </div>
  );
}

/**
 * @param {Session} session
 * @param {string} podGroup
 */
function lookAtGroup(session, podGroup) {
  session.prospect.podGroup.value = podGroup;
  session.panel.value = 'whatif';
}

/**
 * Asks how a pod could get a node.
 * @param {Session} session
 * @param {string} pod
 */
function fix(session, pod) {
  session.prospect.pod.value = pod;
  session.panel.value = 'whatif';
}
