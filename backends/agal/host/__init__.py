"""Host code for Stage3D: classes in ActionScript 3 and Haxe, and effects of Starling."""
