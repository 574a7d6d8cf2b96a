// Quiet sounds for moves, made on the spot. Off unless the visitor switches them on.

import { remembered } from "./bar.js";

let audio = null;

/** A short soft tone. @param {number} pitch in hertz @param {number} [seconds] */
function tone(pitch, seconds = 0.12) {
  audio ??= new AudioContext();
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = "sine";
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + seconds);
}

/** Sounds for what has changed between two messages about one table. */
export function soundOf(before, told) {
  if (!remembered("sound", false) || !before || before.table !== told.table || before.node === told.node) return;
  if (told.status.over) tone(660, 0.4);
  else tone(told.position.player === 0 ? 330 : 440);
}
